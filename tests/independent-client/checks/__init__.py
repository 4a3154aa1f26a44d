"""What the contract promises a site, one file per theme; the first line of a check's docstring is its name."""
