"""The plan language: nodes, their JSON form, and profiles."""
