"""Reads the two archives of the contract and puts public URLs where their temporary names were."""
import io
import json
import re
import zipfile


def entries_of(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as zipped:
        damaged = zipped.testzip()
        if damaged is not None:
            raise ValueError(f"{damaged} does not match its checksum")
        return {info.filename: zipped.read(info) for info in zipped.infolist() if not info.is_dir()}


def files_below(folder: str, entries: dict[str, bytes]) -> dict[str, bytes]:
    return {name.removeprefix(folder): content for name, content in entries.items() if name.startswith(folder)}


def replace_dummies(html: str, urls: dict[str, str]) -> str:
    """Every dummy-<name> of a known file becomes its URL; of names that begin alike the longer one counts."""
    if not urls:
        return html
    names = sorted(urls, key=len, reverse=True)
    pattern = "dummy-(" + "|".join(re.escape(name) for name in names) + ")"
    return re.sub(pattern, lambda found: urls[found.group(1)], html)


def with_client_urls(state: dict, urls: dict[str, str]) -> dict:
    """The state with assets[name].clientUrl written for each stored file."""
    updated = json.loads(json.dumps(state))
    for name, url in urls.items():
        if name in updated.get("assets", {}):
            updated["assets"][name]["clientUrl"] = url
    return updated


def with_font_urls(tree: object, urls: dict[str, str]) -> object:
    """The tree with clientUrl written into every object whose id is a stored file."""
    if isinstance(tree, list):
        return [with_font_urls(item, urls) for item in tree]
    if not isinstance(tree, dict):
        return tree
    filled = {key: with_font_urls(value, urls) for key, value in tree.items()}
    if isinstance(tree.get("id"), str) and tree["id"] in urls:
        filled["clientUrl"] = urls[tree["id"]]
    return filled
