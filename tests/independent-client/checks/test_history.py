"""How long a session lives, and what comes back after it (contract, States, Limits and Authentication 5)."""
import os

from backend import wire

from .check import Check


class History(Check):
    def test_rollback(self):
        """rollback brings an earlier state back, and the next save is a version of its own"""
        session = self.open()
        first = self.save(session, {}, {"page": "first"})["version_id"]
        second = self.save(session, {}, {"page": "second"})["version_id"]
        self.assertEqual(self.editor.roll_back(session["fingerprint"], first)["state"]["page"], "first")
        third = self.save(session, {}, {"page": "first"})["version_id"]
        self.assertNotIn(third, (first, second))

    def test_kept(self):
        """earlier versions stay for two weeks from the last access"""
        session = self.open()
        first = self.save(session, {}, {"page": "first"})["version_id"]
        url = self.last_callback().content_url
        self.save(session, {}, {"page": "second"})
        for _ in range(2):
            self.editor.pass_days(13)
            self.assertEqual(self.open()["session_id"], session["session_id"])
        self.assertEqual(self.site.fetch(self.material_id, url).status, 200)
        self.assertEqual(self.editor.roll_back(session["fingerprint"], first)["state"]["page"], "first")

    def test_gone(self):
        """two weeks after the last access the session is gone with its versions"""
        session = self.open()
        self.save(session)
        url = self.last_callback().content_url
        self.editor.pass_days(14.1)
        self.assert_refused(self.site.fetch(self.material_id, url), 404)
        self.assertNotEqual(self.open()["session_id"], session["session_id"])


class Restore(Check):
    def reopened(self, files: dict[str, bytes], **credentials) -> dict:
        """A session made anew, long after its material was saved with these files."""
        self.save(self.open(metadata=credentials), files)
        self.editor.pass_days(15)
        return self.open(vms_json=self.material.state, metadata=credentials)

    def assert_fetched(self, authorization: str | None, **credentials):
        files = {"фото.png": os.urandom(500), "b.png": os.urandom(90)}
        session = self.reopened(files, **credentials)
        shown = self.editor.session(session["fingerprint"])
        self.assertEqual((shown["state"], shown["restored"]), (self.material.state, {"lost": []}))
        self.assertEqual({name: self.editor.file(session["fingerprint"], name) for name in files}, files)
        for entry in self.material.state["assets"].values():
            path = entry["clientUrl"].removeprefix(self.site.storage.origin)
            self.assertIn((path, authorization), self.site.fetches)

    def test_state(self):
        """a session that is gone is opened with the state that the site passes, and takes saves"""
        session = self.reopened({"a.png": b"a"})
        self.assertEqual(self.editor.state(session["fingerprint"]), self.material.state)
        self.assertEqual(self.save(session)["result"], "merged")

    def test_public(self):
        """the files of a restored session are fetched from the site"""
        self.assert_fetched(None)

    def test_basic(self):
        """the files of a restored session are fetched with the Basic header of the callbacks"""
        self.assert_fetched("Basic dTpw", webhook_auth_user="u", webhook_auth_password="p")

    def test_bearer(self):
        """the files of a restored session are fetched with the Bearer header of the callbacks"""
        self.assert_fetched("Bearer token-1", webhook_auth_user="token-1")

    def test_lost(self):
        """a file that the site no longer has is named, and the others are there"""
        self.save(self.open(), {"here.png": b"here", "gone.png": b"gone"})
        gone = self.material.state["assets"]["gone.png"]["clientUrl"]
        del self.site.storage.files[gone.removeprefix(self.site.storage.origin)]
        self.assertEqual(wire.request("GET", gone, {}).status, 404)
        self.editor.pass_days(15)
        session = self.open(vms_json=self.material.state)
        shown = self.editor.session(session["fingerprint"])
        self.assertEqual([lost["name"] for lost in shown["restored"]["lost"]], ["gone.png"])
        self.assertEqual(self.editor.file(session["fingerprint"], "here.png"), b"here")
