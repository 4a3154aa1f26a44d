"""A whole site: opens its materials, takes callbacks in, stores what they bring and answers."""
import dataclasses
import hmac
import http.client
import json
import pathlib
import typing

from . import archives, wire
from .storage import Storage


@dataclasses.dataclass(frozen=True)
class Callback:
    """A callback as it came in."""

    headers: http.client.HTTPMessage
    payload: dict

    @property
    def material_id(self) -> str:
        return self.payload["material_id"]

    @property
    def content_url(self) -> str:
        return self.payload["content_url"]


@dataclasses.dataclass
class Material:
    """What the site's CMS holds of one material, and how the site treats its callbacks."""

    callbacks: list[Callback] = dataclasses.field(default_factory=list)
    html: str | None = None
    state: dict | None = None
    archive: dict[str, bytes] | None = None
    # Reason of the pre-save check to refuse, if it does.
    refusal: str | None = None
    # The Authorization header without which nothing is taken in.
    authorization: str | None = None
    # Changes a finished answer's data: how a site with a fault is played.
    spoil: typing.Callable[[dict], None] | None = None


class Site:
    """The backend behind one callback route. `origin` is set once it listens."""

    def __init__(self, base_url: str, api_key: str, api_secret: str, folder: pathlib.Path):
        self.base_url = base_url
        self.api_key = api_key
        self.api_secret = api_secret
        self.storage = Storage(folder)
        self.materials: dict[str, Material] = {}
        # GETs of public files, with their Authorization header.
        self.fetches: list[tuple[str, str | None]] = []

    @property
    def callback_url(self) -> str:
        return f"{self.storage.origin}/callback"

    def material(self, material_id: str) -> Material:
        return self.materials.setdefault(material_id, Material())

    def open(self, material_id: str, **optional) -> dict:
        body = {"api_key": self.api_key, "callback_url": self.callback_url, "material_id": material_id, **optional}
        reply = wire.open_session(self.base_url, self.api_secret, body)
        if reply.status != 200:
            raise AssertionError(f"session/open answered {reply.status}: {reply.body.decode()}")
        return reply.json()

    def fetch(self, material_id: str, content_url: str, **headers) -> wire.Reply:
        query = {"api_key": self.api_key, "material_id": material_id}
        return wire.download(content_url, query, wire.sign(self.api_secret, material_id, content_url), headers)

    def answer(self, callback: Callback) -> tuple[int, dict]:
        """HTTP status and JSON of the answer to one callback (Site callback endpoint)."""
        material = self.material(callback.material_id)
        material.callbacks.append(callback)
        expected = wire.sign(self.api_secret, callback.material_id, callback.content_url)
        if not hmac.compare_digest(expected, callback.headers.get("X-Service-Signature", "")):
            return 400, {"rc": 0, "rm": "The signature does not match"}
        if material.authorization is not None and callback.headers.get("Authorization") != material.authorization:
            return 401, {"rc": 0, "rm": "Not authorised"}
        if material.refusal is not None:
            return 200, {"rc": 0, "rm": material.refusal}
        reply = self.fetch(callback.material_id, callback.content_url)
        if reply.status != 200:
            return 502, {"rc": 0, "rm": f"The archive was answered with {reply.status}"}
        material.archive = archives.entries_of(reply.body)
        if callback.payload["event"] == "site_fonts_updated":
            return 200, self._take_fonts(callback, material, material.archive)
        return 200, self._take_save(callback, material, material.archive)

    def _take_save(self, callback: Callback, material: Material, entries: dict[str, bytes]) -> dict:
        version_id = callback.payload["metadata"]["version_id"]
        media = archives.files_below("vms_media/", entries)
        urls = {name: self.storage.put(f"media/{version_id}", name, content) for name, content in media.items()}
        material.html = archives.replace_dummies(entries["vms_html.html"].decode(), urls)
        material.state = archives.with_client_urls(json.loads(entries["vms_json.json"]), urls)
        return self._accepted("Saved successfully", material, {"vms_json": material.state})

    def _take_fonts(self, callback: Callback, material: Material, entries: dict[str, bytes]) -> dict:
        place = "fonts/" + callback.content_url.rsplit("/", 1)[-1]
        files = archives.files_below("vms_fonts/", entries)
        files["vms_fonts.css"] = entries["vms_fonts.css"]
        urls = {name: self.storage.put(place, name, content) for name, content in files.items()}
        tree = archives.with_font_urls(callback.payload["fonts"], urls)
        return self._accepted("Fonts saved successfully", material, {"fonts": tree})

    @staticmethod
    def _accepted(message: str, material: Material, data: dict) -> dict:
        answered = json.loads(json.dumps(data))
        if material.spoil is not None:
            material.spoil(answered)
        return {"rc": 1, "rm": message, "data": answered}
