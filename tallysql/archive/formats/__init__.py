"""One module per source format, each a generator from a file to canonical rows.

A new format is one module with a `FORMAT` (see `format.py`), listed in `registry.py`:

- `detect(source)` looks at `source.shape`, `source.sample` (the first JSON objects) or
  `source.head`, never only at the name, and says no where another format's file could pass.
- `read(source)` yields Trajectory and Damage in the order of the file. Strings go through verbatim;
  a missing observation is None, an empty one ''. `step` is the source's number or None, `call`
  the position among the calls of one step; numbering, hashing and comparing are the loader's work.
- `source.records()` gives JSON records whether they come as lines, a list or one object, with
  damage named and lone surrogates counted; `source.document`, `source.lines()`, `source.data()`
  and `source.open()` give the rest. `source.default_id` names a trajectory that has no id.
"""
