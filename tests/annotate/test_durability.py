"""An acknowledged save survives kill -9 at any moment."""

import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest

from annotate.conftest import material
from tertium.annotate.protocols import parse_protocol
from tertium.annotate.study import Design, create, keys

KILLS = 5  # here; benchmarks/annotation.py does a hundred


def free_port():
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`tertium annotate serve` in a process of its own."""

    def __init__(self, path):
        self.path, self.port = path, free_port()

    def __enter__(self):
        code = (
            "import sys; from tertium.annotate.serving.running import serve; serve(sys.argv[1], port=int(sys.argv[2]))"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, str(self.path), str(self.port)], stdout=subprocess.DEVNULL
        )
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                self.request("GET", "/")
                return self
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server did not start")

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(
                method, path, body and json.dumps(body), {"Content-Type": "application/json"} if body else {}
            )
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_or_doubled_when_killed(tmp_path):
    path = tmp_path / "study.db"
    key = create(path, material(), Design(parse_protocol("esa"), [""] * 4))
    acknowledged: dict[int, int] = {}  # the last acknowledged version of each annotator
    sent: dict[int, int] = {}
    for round_ in range(KILLS):
        with Server(path) as server:
            stop = threading.Event()

            def work(number, server=server, stop=stop, round_=round_):
                base = f"/a/{keys.annotator_token(key, number, 0)}"
                try:
                    shown = json.loads(server.request("GET", f"{base}/screen?n=1")[1])
                    output = shown["rows"][0]["outputs"][0]
                    version = output["version"]
                    # What was acknowledged before the kill is there after it.
                    assert version >= acknowledged.get(number, 0)
                    count = 0
                    while not stop.is_set():
                        name = f"{round_}-{number}-{count}-client"
                        sent[number] = sent.get(number, 0) + 1
                        entry = {
                            "id": name,
                            "screen": 1,
                            "output": output["id"],
                            "base": version,
                            "answer": {"score": count % 101},
                        }
                        status, body = server.request("POST", f"{base}/save", {"saves": [entry]})
                        if status == 429:
                            break  # a quick machine sends more than the server takes of one link
                        (result,) = json.loads(body)["saves"]
                        assert result["status"] == "saved", result
                        version = acknowledged[number] = result["version"]
                        count += 1
                except (OSError, http.client.HTTPException):
                    pass  # killed in the middle

            threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2, 3, 4)]
            for thread in threads:
                thread.start()
            time.sleep(0.2 + 0.13 * round_)
            os.kill(server.process.pid, signal.SIGKILL)
            stop.set()
            for thread in threads:
                thread.join()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        for number, version in acknowledged.items():
            (stored,) = db.execute("SELECT version FROM answer WHERE annotator = ?", (number,)).fetchone()
            (logged,) = db.execute("SELECT COUNT(*) FROM event WHERE annotator = ?", (number,)).fetchone()
            assert version <= stored == logged <= sent[number]
    assert sum(acknowledged.values()) > 10


def test_a_study_can_be_read_and_copied_while_it_is_served(site, tmp_path):
    from click.testing import CliRunner

    from tertium.cli.commands.annotate import command

    site.screen()
    copy = tmp_path / "copy.db"
    result = CliRunner().invoke(command, ["backup", str(site.path), str(copy)], catch_exceptions=False)
    assert result.exit_code == 0
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("SELECT COUNT(*) FROM assignment").fetchone()[0] == len(
            site.query("SELECT * FROM assignment")
        )


def test_what_fails_in_one_job_does_not_touch_the_others(site):
    from tertium.annotate.study.writer import Writer

    writer = Writer(site.study)
    try:

        def bad(db):
            db.execute("INSERT INTO meta VALUES ('bad', '1')")
            raise ValueError("no")

        jobs = [writer.submit(job) for job in (lambda db: db.execute("INSERT INTO meta VALUES ('good', '1')"), bad)]
        jobs[0].result()
        with pytest.raises(ValueError, match="no"):
            jobs[1].result()
    finally:
        writer.close()
    assert {row["key"] for row in site.query("SELECT key FROM meta WHERE key IN ('good', 'bad')")} == {"good"}
    with pytest.raises(sqlite3.OperationalError, match="closed"):
        writer.submit(lambda db: None).result()
