"""Questions about a repository's history, with answers from git itself, and a report on them."""
