"""The site on HTTP: its callback route and its public files."""
import contextlib
import http.server
import json
import threading

from .site import Callback, Site


def _handler(site: Site):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            if self.path != "/callback":
                return self._send(404, "application/json", b"{}")
            try:
                payload = json.loads(body)
            except ValueError:
                return self._send(400, "application/json", b'{"rc": 0, "rm": "Not JSON"}')
            status, answer = site.answer(Callback(self.headers, payload))
            self._send(status, "application/json", json.dumps(answer, ensure_ascii=False).encode())

        def do_GET(self):
            site.fetches.append((self.path, self.headers.get("Authorization")))
            content = site.storage.get(self.path)
            self._send(404 if content is None else 200, "application/octet-stream", content or b"")

        def _send(self, status: int, content_type: str, body: bytes):
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """The report is the only thing said."""

    return Handler


@contextlib.contextmanager
def listening(site: Site):
    """The site on a free port of this machine for as long as the block runs."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(site))
    server.daemon_threads = True
    site.storage.origin = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
