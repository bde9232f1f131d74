"""The way in: what a browser and M-Pesa reach. It passes each request to the distribution, by its host, as https."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}


class Front:
    def __init__(self, port: int, cloud_port: int):
        self.url = f"http://localhost:{port}"
        self.domain: str | None = None
        front = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP}
                headers |= {"Host": front.domain or "", "X-Forwarded-Proto": "https", "Content-Length": str(len(body))}
                cloud = http.client.HTTPConnection("127.0.0.1", cloud_port, timeout=120)
                try:
                    cloud.request(self.command, self.path, body, headers)
                    answer = cloud.getresponse()
                    content = answer.read()
                finally:
                    cloud.close()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in HOP:
                        self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = pass_on

            def log_message(self, *_: object) -> None:
                """Nothing: the paths of hooks hold secrets."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

        self._server = Server(("127.0.0.1", port), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
