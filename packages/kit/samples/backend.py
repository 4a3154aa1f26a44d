"""A site backend of the hosted layout editor, for Python 3.9 or later: python3 backend.py. Add your login and your storage.

POST /callback takes saves and fonts, GET /open/MATERIAL opens the editor, GET /page/MATERIAL shows what was saved.
"""
import hashlib, hmac, http.client, http.server, io, json, os, re, secrets, threading, time, zipfile
from datetime import datetime
from urllib.parse import quote, unquote, urlencode, urlsplit

PORT = int(os.environ.get("PORT", "8080"))
API_KEY = os.environ.get("API_KEY", "emulator-dev")
API_SECRET = os.environ.get("API_SECRET", "emulator-secret")
BASE_URL = os.environ.get("BASE_URL", "http://127.0.0.1:8788/integration")
PUBLIC_URL = os.environ.get("PUBLIC_URL", f"http://127.0.0.1:{PORT}")
DATA = os.environ.get("DATA", "data")
MAX_BYTES = 200 * 1024 * 1024
EVENTS = {"media": "article_saved", "fonts": "site_fonts_updated"}
TYPES = {"css": "text/css", "gif": "image/gif", "jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml"}


class Refusal(Exception):
    """An answer with rc 0: its message and its HTTP status."""

    def __init__(self, message, status=200):
        super().__init__(message)
        self.status = status


def must(is_right, message, status=200):
    if not is_right:
        raise Refusal(message, status)


def sign(material, url):
    return hmac.new(API_SECRET.encode(), f"{material}:{url}".encode(), hashlib.sha256).hexdigest()


def path_of(kind, key):
    """Names on the disk are hashes, never names from outside."""
    return f"{DATA}/{kind}-{hashlib.sha256(key if isinstance(key, bytes) else key.encode()).hexdigest()}"


def read(kind, key):
    path = path_of(kind, key)
    return open(path, encoding="utf-8").read() if os.path.exists(path) else None


def write(kind, key, data):
    """The file is there as a whole or not at all."""
    part = f"{DATA}/part-{secrets.token_hex(8)}"
    with open(part, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path_of(kind, key))


def unzip(archive):
    """The files of a ZIP archive by name. Refuses what is damaged or unsafe."""
    must(archive[:4] == b"PK\3\4" and archive[-22:-18] == b"PK\5\6", "The archive is no ZIP file")
    with zipfile.ZipFile(io.BytesIO(archive)) as zipped:
        entries = zipped.infolist()
        names = [entry.orig_filename for entry in entries]
        is_small = sum(entry.file_size for entry in entries) <= MAX_BYTES
        must(is_small and sum(entry.compress_size for entry in entries) <= len(archive), "The archive is too large")
        unsafe = re.compile(r"[\0-\x1f\\]|^/|^\w:|(^|/)\.\.?(/|$)")
        must(not any(map(unsafe.search, names)) and len(set(names)) == len(names), "The archive has an unsafe name")
        return {name: zipped.read(entry) for name, entry in zip(names, entries)}


def request(method, url, headers, body=None, seconds=60):
    """Status and body of an answer. Follows no redirect: the request has a signature, which never expires."""
    parts, end = urlsplit(url), time.monotonic() + seconds
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port, timeout=seconds)
    try:
        connection.request(method, f"{parts.path}?{parts.query}" if parts.query else parts.path, body, headers)
        answer = connection.getresponse()
        must(int(answer.headers.get("Content-Length", 0)) <= MAX_BYTES, "The archive is too large")
        data = bytearray()
        while piece := answer.read1(65_536):
            data += piece
            must(len(data) <= MAX_BYTES and time.monotonic() < end, "The download is too large or too slow")
        if answer.length:
            raise http.client.IncompleteRead(bytes(data))
        return answer.status, bytes(data)
    finally:
        connection.close()


def download(material, content_url):
    query = urlencode({"api_key": API_KEY, "material_id": material})
    url = content_url + ("&" if "?" in content_url else "?") + query
    headers, end, tries = {"X-Service-Signature": sign(material, content_url)}, time.monotonic() + 120, 3
    while tries > 0 and time.monotonic() < end:
        tries -= 1
        try:
            status, archive = request("GET", url, headers, seconds=end - time.monotonic())
        except (OSError, http.client.HTTPException):
            continue
        if status != 429 and status < 500:
            must(status == 200, f"The download was answered with {status}", 502)
            return archive
    raise Refusal("The download failed", 502)


def publish(files, folder):
    """Makes the files of this folder public, and returns their URLs by name."""
    urls = {}
    for entry, data in files.items():
        if entry.startswith(folder) and not entry.endswith("/"):
            write("file", data, data)
            name = entry[len(folder) :]
            urls[name] = f"{PUBLIC_URL}/file/{hashlib.sha256(data).hexdigest()}/{quote(name, safe='')}"
    return urls


def with_urls(text, urls):
    """The text with URLs in place of temporary names. Where one name begins with another, the longer one counts."""
    names = "|".join(re.escape(name) for name in sorted(urls, key=len, reverse=True))
    return re.sub(f"dummy-({names})", lambda found: urls[found[1]], text) if names else text


def store_page(payload, files):
    urls = publish(files, "vms_media/")
    html = with_urls(files["vms_html.html"].decode(), urls)
    # Numbers stay as they were written: as marked texts, whose marks are taken out again.
    mark = secrets.token_hex(16)
    state = json.loads(files["vms_json.json"].decode("utf-8-sig"), parse_int=mark.__add__, parse_float=mark.__add__)
    must(isinstance(state, dict), "The state is not an object")
    for name, asset in state.get("assets", {}).items():
        must(isinstance(asset, dict), "An asset is not an object")
        asset["clientUrl"] = urls.get(name, asset.get("clientUrl"))
        must(re.match("https?:", asset["clientUrl"] or ""), "The archive lacks the file of an asset")
    text = re.sub(f'"{mark}([^"]*)"', r"\1", json.dumps(state))
    # A save that arrives late does not replace a later one.
    saved_at = datetime.fromisoformat(payload["metadata"]["version_cdate"]).timestamp()
    if saved_at >= json.loads(read("page", payload["material_id"]) or '{"saved_at":0}')["saved_at"]:
        page = json.dumps({"saved_at": saved_at, "html": html, "state": text})
        write("page", payload["material_id"], page.encode())
    return '{"rc":1,"rm":"Saved successfully","data":{"vms_json":%s}}' % text


def store_fonts(payload, files):
    urls = publish(files, "vms_fonts/")
    sheet = with_urls(files["vms_fonts.css"].decode(), urls)
    urls.update(publish({"vms_fonts.css": sheet.encode()}, ""))
    write("fonts", "current", json.dumps({"sheet": urls["vms_fonts.css"]}).encode())

    def filled(each):
        is_stored = isinstance(each.get("id"), str) and each["id"] in urls
        return {**each, "clientUrl": urls[each["id"]]} if is_stored else each

    tree = json.loads(json.dumps(payload.get("fonts")), object_hook=filled)
    data = {"fonts": tree} if isinstance(tree, dict) else {}
    return json.dumps({"rc": 1, "rm": "Fonts saved successfully", "data": data})


LOCKS = [threading.Lock() for _ in range(64)]


def answer_to(headers, body):
    """The answer to a callback, which is verified first. The same delivery gets the same answer and is stored once."""
    must("Origin" not in headers and "Sec-Fetch-Site" not in headers, "Web pages cannot send callbacks", 403)
    try:
        payload = json.loads(body.decode())
    except (ValueError, RecursionError):
        raise Refusal("The body is not JSON", 400)
    payload = payload if isinstance(payload, dict) else {}
    material, content_url = payload.get("material_id"), payload.get("content_url")
    must(isinstance(material, str) and isinstance(content_url, str), "material_id or content_url is missing", 400)
    given = headers.get("X-Service-Signature", "").strip()
    must(hmac.compare_digest(given.encode(), sign(material, content_url).encode()), "The signature is wrong", 400)
    # The signature covers neither the event nor the place of its colon: only addresses of the service are asked.
    path = content_url[len(BASE_URL) :] if content_url.startswith(BASE_URL) else ""
    found = re.fullmatch(r"/download/(media|fonts)/[\w-]+/[\w.-]+(\?[^#\s]*)?", path)
    must(found, "content_url is not an address of the service", 400)
    must(payload.get("event", EVENTS[found[1]]) == EVENTS[found[1]], "The event is unknown", 400)
    key = f"{material}:{content_url}"
    with LOCKS[hash(key) % len(LOCKS)]:
        answer = read("answer", key)
        if answer is None:
            archive = download(material, content_url)
            try:
                answer = (store_page if found[1] == "media" else store_fonts)(payload, unzip(archive))
            except OSError:
                raise
            except Exception as error:
                raise error if isinstance(error, Refusal) else Refusal("The archive is damaged or incomplete")
            write("answer", key, answer.encode())
        return answer


def open_editor(material):
    """Opens a session with the state that was saved last. Returns the URL of the editor."""
    callback_url = f"{PUBLIC_URL}/callback"
    body = json.dumps({"api_key": API_KEY, "callback_url": callback_url, "material_id": material})
    page = read("page", material)
    if page is not None:
        body = body[:-1] + ',"vms_json":' + json.loads(page)["state"] + "}"
    headers = {"Content-Type": "application/json", "X-Service-Signature": sign(material, callback_url)}
    status, answer = request("POST", f"{BASE_URL}/session/open", headers, body.encode())
    must(status == 200, f"The service answered {status}", 502)
    return json.loads(answer)["url"]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 15

    def respond(self, action):
        try:
            status, headers, body = action()
        except Refusal as refusal:
            status, headers = refusal.status, {"Content-Type": "application/json"}
            body = json.dumps({"rc": 0, "rm": str(refusal)}).encode()
        self.send_response(status)
        for name, value in {**headers, "X-Content-Type-Options": "nosniff", "Content-Length": len(body)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.respond(self.callback)

    def do_GET(self):
        self.respond(self.page_or_file)

    def callback(self):
        must(self.path == "/callback", "Nothing is here", 404)
        length = int(self.headers.get("Content-Length") or -1)
        self.close_connection = True
        must(0 <= length <= 4 * 1024 * 1024, "The body has no length or is too large", 413)
        answer = answer_to(self.headers, self.rfile.read(length))
        return 200, {"Content-Type": "application/json"}, answer.encode()

    def page_or_file(self):
        route, key, name = (*map(unquote, self.path.split("?")[0].split("/")[1:4]), "", "", "")[:3]
        if route == "open":
            return 303, {"Location": open_editor(key)}, b""
        page = read("page", key) if route == "page" else None
        if page is not None:
            return 200, {"Content-Type": "text/html; charset=utf-8"}, json.loads(page)["html"].encode()
        file = f"{DATA}/file-{key}"
        must(route == "file" and re.fullmatch("[0-9a-f]{64}", key) and os.path.exists(file), "Nothing is here", 404)
        # What an editor has uploaded runs no script on this site. The hosted editor may load it.
        kind = TYPES.get(name.rsplit(".", 1)[-1].lower(), "application/octet-stream")
        headers = {"Content-Security-Policy": "sandbox", "Access-Control-Allow-Origin": "*"}
        return 200, {"Content-Type": kind, **headers}, open(file, "rb").read()


os.makedirs(DATA, exist_ok=True)
server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
print(f"{PUBLIC_URL}/callback", flush=True)
server.serve_forever()
