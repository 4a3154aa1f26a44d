"""Fetching archives (contract, the two download endpoints)."""
from backend import archives, wire

from .check import Check


class Downloads(Check):
    def saved(self) -> str:
        self.save(self.open())
        return self.last_callback().content_url

    def fetch(self, url: str, signature: str | None, **query) -> wire.Reply:
        return wire.download(url, {"api_key": self.site.api_key, "material_id": self.material_id, **query}, signature)

    def sign(self, url: str) -> str:
        return wire.sign(self.site.api_secret, self.material_id, url)

    def test_signed(self):
        """a download is signed over the bare address, key and material in the query"""
        reply = self.site.fetch(self.material_id, self.saved())
        self.assertEqual(reply.status, 200)
        self.assertEqual(int(reply.headers["Content-Length"]), len(reply.body))

    def test_unsigned(self):
        """a download without a signature, or with another's, is refused with 403"""
        url = self.saved()
        whole = f"{url}?api_key={self.site.api_key}&material_id={self.material_id}"
        foreign = wire.sign("another secret", self.material_id, url)
        for signature in (None, "", self.sign(whole), self.sign(""), foreign):
            self.assert_refused(self.fetch(url, signature), 403)

    def test_other_material(self):
        """another material's archive is refused with 403, however well signed"""
        url = self.saved()
        other = f"{self.material_id}/other"
        self.site.open(other)
        self.assert_refused(self.site.fetch(other, url), 403)

    def test_unknown(self):
        """a version that does not exist is answered 404"""
        url = self.saved().rsplit("/", 1)[0] + "/no-such-version"
        self.assert_refused(self.fetch(url, self.sign(url)), 404)

    def test_query(self):
        """a download without api_key or material_id is refused"""
        url = self.saved()
        self.assert_refused(wire.download(url, {"api_key": self.site.api_key}, self.sign(url)), 400, 403)
        self.assert_refused(wire.download(url, {"material_id": self.material_id}, self.sign(url)), 400, 401, 403)

    def test_again(self):
        """an archive can be fetched again, and an earlier version after a later one"""
        session = self.open()
        self.save(session, {"one.png": b"1"})
        url = self.last_callback().content_url
        first = self.site.fetch(self.material_id, url).body
        self.save(session, {"two.png": b"2"})
        self.assertEqual(self.site.fetch(self.material_id, url).body, first)
        self.assertIn("vms_media/one.png", archives.entries_of(first))

    def test_ranges(self):
        """a download can be taken up again where it broke off"""
        url = self.saved()
        whole = self.site.fetch(self.material_id, url)
        self.assertEqual(whole.headers["Accept-Ranges"], "bytes")
        part = self.site.fetch(self.material_id, url, Range="bytes=100-299")
        self.assertEqual((part.status, part.body), (206, whole.body[100:300]))
        self.assertEqual(part.headers["Content-Range"], f"bytes 100-299/{len(whole.body)}")
        rest = self.site.fetch(self.material_id, url, Range="bytes=300-")
        self.assertEqual((rest.status, rest.body), (206, whole.body[300:]))
        beyond = self.site.fetch(self.material_id, url, Range=f"bytes={len(whole.body)}-")
        self.assertEqual(beyond.status, 416)
