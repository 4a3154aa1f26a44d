"""The Authorization header of callbacks (contract, Authentication 5)."""
import base64

from .check import Check


class Authorization(Check):
    def assert_header(self, expected: str | None, **credentials):
        """Both events carry the header; the site takes nothing in without it."""
        self.material.authorization = expected
        session = self.open(metadata=credentials)
        for report in (self.save(session), self.change_fonts()):
            self.assertEqual(report["result"], "merged", report)
            self.assertEqual(self.last_callback().headers.get("Authorization"), expected)

    def test_none(self):
        """no credentials, no Authorization header"""
        self.assert_header(None, section_id="7")

    def test_basic(self):
        """user and password make a Basic header"""
        credentials = base64.b64encode("сайт:pass:word".encode()).decode()
        self.assert_header(f"Basic {credentials}", webhook_auth_user="сайт", webhook_auth_password="pass:word")

    def test_bearer(self):
        """a user alone makes a Bearer header"""
        self.assert_header("Bearer token-1", webhook_auth_user="token-1")

    def test_empty_password(self):
        """an empty password, or none that is a string, makes a Bearer header"""
        self.assert_header("Bearer token-1", webhook_auth_user="token-1", webhook_auth_password="")
        self.assert_header("Bearer token-2", webhook_auth_user="token-2", webhook_auth_password=7)

    def test_prefix(self):
        """the Bearer prefix is not doubled"""
        self.assert_header("Bearer token-1", webhook_auth_user="Bearer token-1")

    def test_password_alone(self):
        """a password without a user makes no header"""
        self.assert_header(None, webhook_auth_user="", webhook_auth_password="word")

    def test_reopened(self):
        """a repeated open changes the credentials"""
        self.assert_header("Bearer token-1", webhook_auth_user="token-1")
        self.assert_header("Bearer token-2", webhook_auth_user="token-2")

    def test_in_archive(self):
        """the credentials appear in metadata_json.json"""
        self.assert_header("Bearer token-1", webhook_auth_user="token-1")
        self.save(self.open())
        self.assertIn(b'"token-1"', self.material.archive["metadata_json.json"])
