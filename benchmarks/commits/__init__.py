"""Questions about a repository's history, with answers from git itself, and how they are answered."""
