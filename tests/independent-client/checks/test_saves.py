"""A save from the callback to the merged answer (contract, article_saved)."""
import datetime
import os

from backend import archives, wire

from .check import Check


class Callbacks(Check):
    def test_payload(self):
        """article_saved carries event, material_id, content_url, metadata and debug"""
        session = self.open()
        report = self.save(session)
        payload = self.last_callback().payload
        self.assertEqual(set(payload), {"event", "material_id", "content_url", "metadata", "debug"})
        self.assertEqual((payload["event"], payload["material_id"]), ("article_saved", self.material_id))
        self.assertIsInstance(payload["debug"], bool)
        expected = f"{self.site.base_url}/download/media/{session['fingerprint']}/{report['version_id']}"
        self.assertEqual(payload["content_url"], expected)

    def test_signature(self):
        """article_saved is signed over material_id:content_url"""
        self.save(self.open())
        callback = self.last_callback()
        expected = wire.sign(self.site.api_secret, self.material_id, callback.content_url)
        self.assertEqual(callback.headers["X-Service-Signature"], expected)
        self.assertEqual(callback.headers.get_content_type(), "application/json")

    def test_metadata(self):
        """metadata come back as they were passed, with the service keys"""
        passed = {"section_id": "7", "flags": [True, None, 1.5], "nested": {"имя": {"deep": []}}, "version": "python_1"}
        report = self.save(self.open(metadata=passed), user_email="anna@site.example")
        received = self.last_callback().payload["metadata"]
        self.assertEqual({key: received[key] for key in passed}, passed)
        self.assertEqual((received["version_id"], received["user_email"]), (report["version_id"], "anna@site.example"))
        self.assertTrue(received["user_ip"])
        created = datetime.datetime.fromisoformat(received["version_cdate"])
        self.assertIsNotNone(created.utcoffset())

    def test_versions(self):
        """each save makes a version of its own, not older than the one before"""
        session = self.open()
        metadata = []
        for _ in range(2):
            self.save(session)
            metadata.append(self.last_callback().payload["metadata"])
        first, second = metadata
        self.assertNotEqual(first["version_id"], second["version_id"])
        created = [datetime.datetime.fromisoformat(each["version_cdate"]) for each in metadata]
        self.assertLessEqual(*created)


class Archives(Check):
    def test_entries(self):
        """the media ZIP holds the page, the state, the media and the metadata, and nothing else"""
        files = {"фото 1.png": os.urandom(700), "clip.mp4": os.urandom(900), "empty.txt": b""}
        self.save(self.open(), files)
        media = {f"vms_media/{name}" for name in files}
        entries = self.material.archive
        self.assertEqual(set(entries), {"vms_html.html", "vms_json.json", "metadata_json.json"} | media)
        self.assertEqual(archives.files_below("vms_media/", entries), files)

    def test_metadata_entry(self):
        """metadata_json.json holds the metadata of the session and of the version"""
        report = self.save(self.open(metadata={"section_id": "7"}))
        text = self.material.archive["metadata_json.json"].decode()
        for value in ("section_id", "version_cdate", report["version_id"]):
            self.assertIn(value, text)

    def test_dummies(self):
        """new files are referred to by their temporary names"""
        self.save(self.open(), {"cover.png": b"1"})
        self.assertIn(b'src="dummy-cover.png"', self.material.archive["vms_html.html"])
        self.assertIn(b'"dummy-cover.png"', self.material.archive["vms_json.json"])


class Answers(Check):
    def test_merged(self):
        """the public URLs of the answer are taken into the stored state"""
        files = {"a.png": os.urandom(50), "a.png.jpg": os.urandom(60), "имя & #1.png": os.urandom(70)}
        session = self.open()
        report = self.save(session, files)
        self.assertEqual((report["result"], report["http_status"]), ("merged", 200))
        urls = self.client_urls(session)
        self.assertEqual({name: wire.request("GET", url, {}).body for name, url in urls.items()}, files)
        self.assertNotIn("dummy-", self.material.html)

    def test_next_opening(self):
        """the next opening works with the site's files"""
        session = self.open()
        self.save(session, state={"blocks": [{"text": "Привет"}]})
        self.assertEqual(self.editor.state(self.open(vms_json={})["fingerprint"]), self.material.state)

    def test_next_save(self):
        """a file the site has stored is not sent again"""
        session = self.open()
        self.save(session, {"cover.png": os.urandom(50)})
        stored = self.editor.state(session["fingerprint"])
        url = stored["assets"]["cover.png"]["clientUrl"]
        report = self.editor.save(session["fingerprint"], f'<img src="{url}">', stored, {})
        self.assertEqual((report["result"], archives.files_below("vms_media/", self.material.archive)), ("merged", {}))
        self.assertEqual(self.client_urls(session), {"cover.png": url})

    def test_refusal(self):
        """rc 0 refuses the save with its reason, and nothing is downloaded or written"""
        session = self.open()
        self.material.refusal = "Рубрика закрыта"
        before = len(self.site.storage.files)
        report = self.save(session)
        self.assertEqual((report["result"], report["answer"]["rm"]), ("rejected", "Рубрика закрыта"))
        self.assertIsNone(self.material.archive)
        self.assertEqual(len(self.site.storage.files), before)

    def test_refused_urls(self):
        """a refused save changes no URL of the stored state"""
        session = self.open()
        self.save(session, {"one.png": b"1"})
        stored = self.editor.state(session["fingerprint"])
        self.material.refusal = "No"
        assets = {**stored["assets"], "two.png": {"clientUrl": "dummy-two.png"}}
        self.editor.save(session["fingerprint"], "<p>", {"assets": assets}, {"two.png": b"2"})
        kept = stored["assets"]["one.png"]["clientUrl"]
        self.assertEqual(self.client_urls(session), {"one.png": kept, "two.png": "dummy-two.png"})

    def test_dummy(self):
        """an answered dummy- URL fails the webhook with dummy_client_url and merges nothing"""
        self.assert_spoiled("dummy-b.png")

    def test_empty(self):
        """an answered empty URL fails the webhook with dummy_client_url and merges nothing"""
        self.assert_spoiled("")

    def assert_spoiled(self, url: str):
        def spoil(data: dict):
            data["vms_json"]["assets"]["b.png"]["clientUrl"] = url

        session = self.open()
        self.material.spoil = spoil
        report = self.save(session, {"a.png": b"a", "b.png": b"b"})
        self.assertEqual((report["result"], report.get("error")), ("webhook_failed", "dummy_client_url"))
        self.assertEqual(self.client_urls(session), {"a.png": "dummy-a.png", "b.png": "dummy-b.png"})

        # The site mends its ways: the files travel again and the save goes through.
        self.material.spoil = None
        again = self.editor.save(session["fingerprint"], "<p>", self.editor.state(session["fingerprint"]), {})
        self.assertEqual(again["result"], "merged")
        self.assertEqual(archives.files_below("vms_media/", self.material.archive), {"a.png": b"a", "b.png": b"b"})
