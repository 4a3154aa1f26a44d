"""The person at the service: what happens there is asked of it by its local commands."""
import base64
import datetime
import urllib.parse

from backend import wire


class Editor:
    def __init__(self, base_url: str):
        self.root = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(base_url))

    def save(self, fingerprint: str, html: str, state: dict, files: dict[str, bytes], **optional) -> dict:
        """Presses Save; the report says how the site answered."""
        draft = {"html": html, "state": state, "files": _base64(files), **optional}
        return self._command(f"sessions/{fingerprint}/save", draft)

    def change_fonts(self, material_id: str, files: dict[str, bytes], css: str, tree: dict) -> dict:
        return self._command("fonts", {"material_id": material_id, "files": _base64(files), "css": css, "tree": tree})

    def session(self, fingerprint: str) -> dict:
        """What the editor shows; waits for a session that is being restored."""
        return wire.request("GET", f"{self.root}/_emulator/sessions/{fingerprint}", {}).json()

    def state(self, fingerprint: str) -> dict:
        """The state that the next opening works with."""
        return self.session(fingerprint)["state"]

    def file(self, fingerprint: str, name: str) -> bytes:
        """A file that the service itself holds for the session."""
        place = f"{self.root}/_emulator/sessions/{fingerprint}/files/{urllib.parse.quote(name, safe='')}"
        return wire.request("GET", place, {}).body

    def roll_back(self, fingerprint: str, version_id: str) -> dict:
        return self._command(f"sessions/{fingerprint}/rollback", {"version_id": version_id})

    def pass_days(self, days: float):
        """Moves the service's clock on."""
        now = datetime.datetime.fromisoformat(wire.request("GET", f"{self.root}/_emulator/clock", {}).json()["now"])
        self._command("clock", {"now": (now + datetime.timedelta(days=days)).isoformat()})

    def _command(self, path: str, body: dict) -> dict:
        reply = wire.post_json(f"{self.root}/_emulator/{path}", body)
        if reply.status != 200:
            raise AssertionError(f"{path} answered {reply.status}: {reply.body.decode()}")
        return reply.json()


def _base64(files: dict[str, bytes]) -> dict[str, str]:
    return {name: base64.b64encode(content).decode() for name, content in files.items()}
