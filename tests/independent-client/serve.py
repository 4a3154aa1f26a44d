"""Serves the site alone, with keys and base URL from JSON on standard input; says its callback URL, ends with its input."""
import json
import pathlib
import sys
import tempfile

from backend import server
from backend.site import Site

setup = json.loads(sys.stdin.readline())
with tempfile.TemporaryDirectory(prefix="independent-site-") as folder:
    site = Site(setup["base_url"], setup["api_key"], setup["api_secret"], pathlib.Path(folder))
    with server.listening(site):
        print(site.callback_url, flush=True)
        sys.stdin.read()
