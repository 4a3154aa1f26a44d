"""A site backend of the integration contract: Python's standard library, written from the contract's text alone."""
