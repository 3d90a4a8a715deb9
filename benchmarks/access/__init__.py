"""Access metrics without a model: are the steps that decide an answer in the context?"""
