"""A program that answers chat completions by a rule: it checks or calls whatever it is asked.

It is no model. It runs as a process of its own, says its port in its first line, and ends with its
standard input: ``python calling_model.py``.
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Completions(BaseHTTPRequestHandler):
    """Answers requests; the model ``mute`` says nothing that is an action."""

    def do_POST(self) -> None:
        """Answer with the only thing that this program ever does."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = request["messages"][-1]["content"]
        action = "call" if '"call"' in prompt.rpartition("Legal actions")[2] else "check"
        said = "I pass." if request["model"] == "mute" else json.dumps({"action": action})
        message = {"role": "assistant", "content": said}
        usage = {"prompt_tokens": 200, "completion_tokens": 10, "total_tokens": 210}
        choices = [{"message": message, "finish_reason": "stop"}]
        content = json.dumps({"choices": choices, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Completions)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    sys.stdin.read()
