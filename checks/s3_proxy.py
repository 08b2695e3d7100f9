"""Stands before an S3 server and fails now and then: answers 500 or 503, or cuts the connection, before or in the middle.

    python3 s3_proxy.py FILE UPSTREAM_PORT SEED SHARE

Writes its own port to FILE. SHARE is the part of the requests that fail.
"""

import http.client
import os
import random
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

place, upstream, seed, share = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
numbers = random.Random(seed)
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pick(self):
        with lock:
            fails = numbers.random() < share
            return numbers.choice(["500", "503", "nothing", "middle"]) if fails else "", numbers.random()

    def handle_request(self):
        fault, where = self.pick()
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if fault in ("500", "503"):
            self.send_response(int(fault))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if fault == "nothing":
            self.close_connection = True
            return
        connection = http.client.HTTPConnection("127.0.0.1", upstream, timeout=60)
        connection.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        data = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "date", "server", "content-length"):
                self.send_header(name, value)
        length = answer.getheader("Content-Length") if self.command == "HEAD" else str(len(data))
        self.send_header("Content-Length", length or "0")
        self.end_headers()
        if fault == "middle":
            self.wfile.write(data[: int(where * len(data))])
            self.wfile.flush()
            self.close_connection = True
        elif self.command != "HEAD":
            self.wfile.write(data)
        connection.close()

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_request

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(place + ".new", "w") as file:
    file.write(str(server.server_port))
os.rename(place + ".new", place)
server.serve_forever()
