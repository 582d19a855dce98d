# SPDX-License-Identifier: BSD-2-Clause
"""The read-only page of a lab's server, for browsers; no other paths exist."""
import http.server
import json
import os
import threading

import lab_state

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = {"/": ("page.html", "text/html; charset=utf-8"), "/page.js": ("page.js", "text/javascript; charset=utf-8")}
CLIENT_SECONDS, CLIENTS = 10, 32


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = CLIENT_SECONDS  # limit for clients that do not finish their request
    server_version, sys_version = "ibsboot", ""

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/state.json":
            return self.answer(json.dumps(lab_state.read(self.server.lab)).encode(), "application/json")
        if path not in FILES:
            return self.send_error(404)
        name, kind = FILES[path]
        with open(os.path.join(HERE, name), "rb") as file:
            return self.answer(file.read(), kind)

    def answer(self, body, kind):
        self.send_response(200)
        for key, value in (("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                           ("Content-Security-Policy", "default-src 'self'; style-src 'unsafe-inline'; base-uri 'none'")):
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Logs nothing: nobody reads who looked at the page."""


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, lab, address, port):
        self.lab, self.clients = lab, threading.BoundedSemaphore(CLIENTS)
        super().__init__((address, port), Handler)

    def process_request(self, request, client_address):
        """Closes the connection of a client beyond the limit."""
        if self.clients.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.clients.release()

    def handle_error(self, request, client_address):
        """Ignores clients that leave early or send nonsense."""


def serve(lab, address, port):
    """Answers in separate threads until the process ends. Returns the port."""
    server = Server(lab, address, port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]
