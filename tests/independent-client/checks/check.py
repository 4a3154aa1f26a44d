"""What every check has at hand: the site, the editor, and a material that no other check uses."""
import os
import unittest
import uuid

from backend.site import Callback, Material, Site
from editor import Editor


class Check(unittest.TestCase):
    site: Site
    editor: Editor

    def setUp(self):
        # Cyrillic and a slash: ids are any string, and the signature is over their UTF-8.
        self.material_id = f"статья/{uuid.uuid4()}"

    @property
    def material(self) -> Material:
        return self.site.material(self.material_id)

    def open(self, **optional) -> dict:
        return self.site.open(self.material_id, **optional)

    def save(self, session: dict, files: dict[str, bytes] | None = None, state: dict | None = None, **optional) -> dict:
        """Saves a page that refers to each file by its temporary name, in HTML and in the state."""
        files = {"cover.png": os.urandom(600)} if files is None else files
        html = "".join(f'<img src="dummy-{name}" alt="{name}">' for name in files)
        assets = {name: {"clientUrl": f"dummy-{name}", "width": 640} for name in files}
        whole = {"assets": assets, **(state or {})}
        return self.editor.save(session["fingerprint"], f"<article>{html}</article>", whole, files, **optional)

    def change_fonts(self) -> dict:
        files = {"Inter-Regular.woff2": os.urandom(400), "Inter Bold.woff2": os.urandom(500)}
        css = "@font-face { font-family: Inter; src: url(vms_fonts/Inter-Regular.woff2) }"
        variants = [{"weight": 400 + 300 * at, "file": {"id": name}} for at, name in enumerate(files)]
        tree = {"css": {"id": "vms_fonts.css"}, "list": [{"family": "Inter", "variants": variants}]}
        return self.editor.change_fonts(self.material_id, files, css, tree)

    def last_callback(self) -> Callback:
        return self.material.callbacks[-1]

    def client_urls(self, session: dict) -> dict[str, str]:
        """The URL of each asset in the state that the service holds."""
        assets = self.editor.state(session["fingerprint"])["assets"]
        return {name: entry["clientUrl"] for name, entry in assets.items()}

    def assert_refused(self, reply, *statuses: int):
        """A plain status and JSON with some words in it; how it is worded is the service's affair."""
        self.assertIn(reply.status, statuses)
        words = [value for value in reply.json().values() if isinstance(value, str) and value]
        self.assertTrue(words, "the refusal says nothing")
