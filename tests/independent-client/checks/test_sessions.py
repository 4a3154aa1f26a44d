"""Opening and re-opening sessions (contract, POST /integration/session/open)."""
import uuid

from backend import wire

from .check import Check


class Sessions(Check):
    def test_answer(self):
        """open answers session_id, fingerprint, url and resizeMode"""
        session = self.open()
        for key in ("session_id", "fingerprint"):
            self.assertEqual(str(uuid.UUID(session[key])), session[key])
        self.assertIsInstance(session["resizeMode"], str)
        self.assertEqual(wire.request("GET", session["url"], {}).status, 200)

    def test_signature(self):
        """open without the right signature is refused"""
        body = {"api_key": self.site.api_key, "callback_url": self.site.callback_url, "material_id": self.material_id}
        for signed in (self.site.callback_url + "/", self.material_id):
            signature = wire.sign(self.site.api_secret, self.material_id, signed)
            self.assert_refused(wire.open_session(self.site.base_url, self.site.api_secret, body, signature), 401, 403)

    def test_key(self):
        """open with an unknown key is refused"""
        body = {"api_key": "nobody", "callback_url": self.site.callback_url, "material_id": self.material_id}
        self.assert_refused(wire.open_session(self.site.base_url, self.site.api_secret, body), 401, 403)

    def test_domain(self):
        """open with a callback host outside the allowed domains is refused"""
        callback_url = "https://elsewhere.example/cb"
        body = {"api_key": self.site.api_key, "callback_url": callback_url, "material_id": self.material_id}
        self.assert_refused(wire.open_session(self.site.base_url, self.site.api_secret, body), 403)

    def test_required(self):
        """open without material_id is refused"""
        body = {"api_key": self.site.api_key, "callback_url": self.site.callback_url}
        signature = wire.sign(self.site.api_secret, "", self.site.callback_url)
        self.assert_refused(wire.open_session(self.site.base_url, self.site.api_secret, body, signature), 400)

    def test_one_session(self):
        """a repeated open returns the existing session"""
        first, again = self.open(), self.open(metadata={"section_id": "7"})
        self.assertEqual(again, first)

    def test_other_material(self):
        """another material has a session of its own"""
        first = self.open()
        other = self.site.open(f"{self.material_id}/other")
        self.assertNotEqual(other["session_id"], first["session_id"])
        self.assertNotEqual(other["fingerprint"], first["fingerprint"])

    def test_first_state(self):
        """the first open takes the passed vms_json"""
        old = {"clientUrl": f"{self.site.storage.origin}/old.png"}
        state = {"assets": {"old.png": old}, "blocks": [{"text": "Ёлка"}]}
        self.assertEqual(self.editor.state(self.open(vms_json=state)["fingerprint"]), state)

    def test_kept_state(self):
        """a repeated open does not update vms_json"""
        self.open(vms_json={"assets": {}, "page": "first"})
        again = self.open(vms_json={"assets": {}, "page": "second"})
        self.assertEqual(self.editor.state(again["fingerprint"])["page"], "first")


class Metadata(Check):
    def metadata_now(self) -> dict:
        """The stored metadata: a fonts callback carries them without a new version."""
        self.change_fonts()
        return self.last_callback().payload["metadata"]

    def test_replaced(self):
        """a repeated open replaces the metadata completely"""
        self.open(metadata={"section_id": "7", "nested": {"a": [1]}})
        self.open(metadata={"editor_user_id": "u-2"})
        self.assertEqual(self.metadata_now(), {"editor_user_id": "u-2"})

    def test_version_kept(self):
        """version_id and version_cdate stay the session's on a repeated open"""
        self.save(self.open())
        saved = self.last_callback().payload["metadata"]
        self.open(metadata={"version_id": "mine", "version_cdate": "2001-01-01T00:00:00+00:00"})
        now = self.metadata_now()
        self.assertEqual((now["version_id"], now["version_cdate"]), (saved["version_id"], saved["version_cdate"]))

    def test_user_kept(self):
        """user_email and user_ip stay unless non-empty strings are passed"""
        self.save(self.open(), user_email="anna@site.example")
        saved = self.last_callback().payload["metadata"]
        for passed in ({}, {"user_email": "", "user_ip": ""}, {"user_email": None, "user_ip": 7}):
            self.open(metadata=passed)
            now = self.metadata_now()
            self.assertEqual((now["user_email"], now["user_ip"]), ("anna@site.example", saved["user_ip"]))

    def test_user_taken(self):
        """user_email and user_ip are taken over when they are non-empty strings"""
        self.save(self.open(), user_email="anna@site.example")
        self.open(metadata={"user_email": "boris@site.example", "user_ip": "192.0.2.7"})
        now = self.metadata_now()
        self.assertEqual((now["user_email"], now["user_ip"]), ("boris@site.example", "192.0.2.7"))
