"""The report of a run folder: one page that needs no network, and a page to label errors on."""
