"""Runs all checks against the service whose address and keys come as JSON on standard input; one JSON line per check."""
import json
import pathlib
import sys
import tempfile
import unittest

from backend import server
from backend.site import Site
from checks.check import Check
from editor import Editor


class Report(unittest.TestResult):
    """Says of every check its name and whether it holds, and why not when it does not."""

    def addSuccess(self, test):
        self._say(test, True, None)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._say(test, False, str(err[1]))

    def addError(self, test, err):
        super().addError(test, err)
        self._say(test, False, f"{err[0].__name__}: {err[1]}")

    @staticmethod
    def _say(test, holds: bool, why: str | None):
        print(json.dumps({"check": test.shortDescription() or str(test), "holds": holds, "why": why}), flush=True)


def main() -> int:
    setup = json.load(sys.stdin)
    with tempfile.TemporaryDirectory(prefix="independent-site-") as folder:
        site = Site(setup["base_url"], setup["api_key"], setup["api_secret"], pathlib.Path(folder))
        with server.listening(site):
            Check.site, Check.editor = site, Editor(setup["base_url"])
            here = pathlib.Path(__file__).parent
            checks = unittest.defaultTestLoader.discover(str(here / "checks"), top_level_dir=str(here))
            report = checks.run(Report())
    return 0 if report.wasSuccessful() else 1


sys.exit(main())
