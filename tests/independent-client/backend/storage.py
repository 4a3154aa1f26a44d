"""The site's public storage: bytes in, public URL out."""
import hashlib
import pathlib
import urllib.parse


class Storage:
    """Keeps files in one folder and knows under which public path each was published."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.origin = ""
        self.files: dict[str, pathlib.Path] = {}

    def put(self, place: str, name: str, content: bytes) -> str:
        path = f"/public/{urllib.parse.quote(place, safe='/')}/{urllib.parse.quote(name, safe='')}"
        # No name from an archive becomes a name on this disk.
        file = self.folder / hashlib.sha256(path.encode()).hexdigest()
        file.write_bytes(content)
        self.files[path] = file
        return self.origin + path

    def get(self, path: str) -> bytes | None:
        file = self.files.get(path)
        return None if file is None else file.read_bytes()
