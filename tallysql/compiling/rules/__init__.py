"""The rules compiler: deterministic, no key, no network; precise before complete."""
