"""The rules compiler: scope parser, cue grammar, linker."""
