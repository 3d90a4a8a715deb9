"""Model calls: one small protocol, an OpenAI-compatible client, a cache, and accounts."""
