"""What a site sends to the service: signatures, opening a session, fetching an archive."""
import hashlib
import hmac
import http.client
import json
import urllib.parse

TIMEOUT_S = 10


class Reply:
    """One HTTP answer, read to its end."""

    def __init__(self, response: http.client.HTTPResponse):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    def json(self):
        return json.loads(self.body)


def request(method: str, url: str, headers: dict, body: bytes | None = None) -> Reply:
    """One exchange on a connection of its own: no proxy, no redirect, nothing added to the address."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT_S)
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target or "/", body, headers)
        return Reply(connection.getresponse())
    finally:
        connection.close()


def post_json(url: str, value: object, headers: dict | None = None) -> Reply:
    sent = {"Content-Type": "application/json", **(headers or {})}
    return request("POST", url, sent, json.dumps(value, ensure_ascii=False).encode())


def sign(api_secret: str, material_id: str, url: str) -> str:
    """hex(HMAC_SHA256(api_secret, material_id + ':' + url)), Authentication 2."""
    return hmac.new(api_secret.encode(), f"{material_id}:{url}".encode(), hashlib.sha256).hexdigest()


def open_session(base_url: str, api_secret: str, body: dict, signature: str | None = None) -> Reply:
    """POST /integration/session/open, signed over material_id:callback_url unless another signature is given."""
    signature = signature or sign(api_secret, body["material_id"], body["callback_url"])
    return post_json(f"{base_url}/session/open", body, {"X-Service-Signature": signature})


def download(content_url: str, query: dict, signature: str | None, headers: dict | None = None) -> Reply:
    """GET of an archive: api_key and material_id in the query, the signature in its header."""
    sent = dict(headers or {})
    if signature is not None:
        sent["X-Service-Signature"] = signature
    return request("GET", f"{content_url}?{urllib.parse.urlencode(query)}", sent)
