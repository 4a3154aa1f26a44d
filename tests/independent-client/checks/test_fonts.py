"""A changed font set (contract, site_fonts_updated)."""
import json

from backend import wire

from .check import Check


class Fonts(Check):
    def test_payload(self):
        """site_fonts_updated carries event, material_id, content_url, metadata and fonts, signed the same way"""
        session = self.open(metadata={"section_id": "7"})
        report = self.change_fonts()
        callback = self.last_callback()
        self.assertEqual(set(callback.payload), {"event", "material_id", "content_url", "metadata", "fonts"})
        self.assertEqual((callback.payload["event"], callback.material_id), ("site_fonts_updated", self.material_id))
        self.assertEqual(callback.payload["metadata"], {"section_id": "7"})
        expected = f"{self.site.base_url}/download/fonts/{session['fingerprint']}/{report['snapshot_id']}"
        self.assertEqual(callback.content_url, expected)
        signature = wire.sign(self.site.api_secret, self.material_id, callback.content_url)
        self.assertEqual(callback.headers["X-Service-Signature"], signature)

    def test_entries(self):
        """the fonts ZIP holds the files, the CSS and the tree, and nothing else"""
        self.open()
        self.change_fonts()
        entries = self.material.archive
        files = {"vms_fonts/Inter-Regular.woff2", "vms_fonts/Inter Bold.woff2"}
        self.assertEqual(set(entries), {"vms_fonts.css", "vms_fonts.json"} | files)
        self.assertIn(b"@font-face", entries["vms_fonts.css"])
        self.assertEqual(json.loads(entries["vms_fonts.json"]), self.last_callback().payload["fonts"])

    def test_accepted(self):
        """a tree answered with public URLs on allowed domains is accepted"""
        self.open()
        self.assertEqual(self.change_fonts()["result"], "merged")

    def test_optional_tree(self):
        """the answer may leave the tree out"""
        self.open()
        self.material.spoil = lambda data: data.clear()
        self.assertEqual(self.change_fonts()["result"], "merged")

    def test_foreign(self):
        """an answered URL outside the allowed domains is not accepted, and is named"""
        foreign = "https://elsewhere.example/Inter.woff2"

        def spoil(data: dict):
            data["fonts"]["list"][0]["variants"][0]["file"]["clientUrl"] = foreign

        self.open()
        self.material.spoil = spoil
        report = self.change_fonts()
        self.assertEqual(report["result"], "webhook_failed")
        self.assertIn(foreign, report["message"])

    def test_refusal(self):
        """rc 0 refuses the fonts with its reason, and nothing is downloaded"""
        self.open()
        self.material.refusal = "Шрифты заморожены"
        report = self.change_fonts()
        self.assertEqual((report["result"], report["answer"]["rm"]), ("rejected", "Шрифты заморожены"))
        self.assertIsNone(self.material.archive)

    def test_download(self):
        """the fonts ZIP is fetched by the rules of the media ZIP"""
        self.open()
        self.change_fonts()
        url = self.last_callback().content_url
        query = {"api_key": self.site.api_key, "material_id": self.material_id}
        self.assertEqual(self.site.fetch(self.material_id, url).status, 200)
        self.assert_refused(wire.download(url, query, None), 403)
        unknown = url.rsplit("/", 1)[0] + "/no-such-snapshot"
        self.assert_refused(self.site.fetch(self.material_id, unknown), 404)
