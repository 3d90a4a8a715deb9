"""Compilers: question and catalog in, plan or decline out."""
