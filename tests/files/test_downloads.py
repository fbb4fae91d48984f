"""Downloads from a server of our own, which cuts connections, lies, is slow or is not there."""

import errno
import hashlib
import http.server
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.files import downloads
from tertium.files.downloads import Remote, download

DATA = random.Random("download").randbytes(300_000)
ADDRESS = "https://example.org/sets/data.tgz"


class Server:
    """Serves one file; each answer ends after so many bytes as `cuts` says, the last one for ever."""

    def __init__(self):
        self.data, self.cuts, self.requests, self.ranges, self.pause, self.status = DATA, [None], [], True, 0.0, 200
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def do_GET(self):
                server.requests.append((self.path, self.headers.get("Range")))
                wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
                begin = int(wanted[1]) if wanted and server.ranges else 0
                if server.status != 200 or begin >= len(server.data) > 0:
                    self.send_error(server.status if server.status != 200 else 416)
                    return
                self.send_response(206 if begin else 200)
                if begin:
                    self.send_header("Content-Range", f"bytes {begin}-{len(server.data) - 1}/{len(server.data)}")
                self.send_header("Content-Length", str(len(server.data) - begin))
                self.end_headers()
                cut = server.cuts.pop(0) if len(server.cuts) > 1 else server.cuts[0]
                body = server.data[begin:] if cut is None else server.data[begin : begin + cut]
                for at in range(0, len(body), 20_000):
                    self.wfile.write(body[at : at + 20_000])
                    time.sleep(server.pause)

            def log_message(self, *arguments):
                pass

        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self):
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@pytest.fixture
def server(monkeypatch):
    """A server that stands in for all addresses."""
    found = Server()
    monkeypatch.setenv("TERTIUM_MIRROR", found.address)
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    yield found
    found.close()


REMOTE = Remote(ADDRESS, hashlib.md5(DATA).hexdigest())


def names(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_file_comes_whole(server, tmp_path):
    told = []
    download(REMOTE, tmp_path / "new" / "data.tgz", say=told.append)
    assert (tmp_path / "new" / "data.tgz").read_bytes() == DATA
    assert server.requests == [("/example.org/sets/data.tgz", None)]
    assert any("100 %" in line for line in told)
    download(REMOTE, tmp_path / "new" / "data.tgz")
    assert len(server.requests) == 1  # it is there
    assert names(tmp_path) == ["data.tgz", "data.tgz.lock"]


@pytest.mark.parametrize("ranges", [True, False])
def test_cut_connections_are_gone_on_with(server, tmp_path, ranges):
    server.cuts, server.ranges = [100_000, 1, 50_000, None], ranges
    download(REMOTE, tmp_path / "data.tgz")
    assert (tmp_path / "data.tgz").read_bytes() == DATA
    if ranges:
        assert [wanted for _, wanted in server.requests] == [None, "bytes=100000-", "bytes=100001-", "bytes=150001-"]


def test_a_server_that_sends_nothing_more_is_given_up_and_resumed_later(server, tmp_path, monkeypatch):
    monkeypatch.setattr(downloads.time, "sleep", lambda seconds: None)
    server.cuts = [120_000, 0]
    with pytest.raises(InputError, match=r"0\.1 MB have come and are kept") as error:
        download(REMOTE, tmp_path / "data.tgz")
    assert f"put it at {tmp_path / 'data.tgz'}" in str(error.value)
    assert REMOTE.checksum in str(error.value)
    assert names(tmp_path) == ["data.tgz.lock", "data.tgz.part"]
    server.cuts = [None]
    download(REMOTE, tmp_path / "data.tgz")
    assert server.requests[-1][1] == "bytes=120000-"
    assert (tmp_path / "data.tgz").read_bytes() == DATA


def test_a_wrong_checksum_leaves_nothing(server, tmp_path):
    server.data = DATA[:-1] + b"!"
    with pytest.raises(InputError, match=f"has the checksum [0-9a-f]{{32}}, but {REMOTE.checksum} was expected"):
        download(REMOTE, tmp_path / "data.tgz")
    assert names(tmp_path) == ["data.tgz.lock"]
    assert len(server.requests) == 1


def test_what_was_begun_of_another_file_is_begun_anew(server, tmp_path):
    (tmp_path / "data.tgz.part").write_bytes(b"something else" * 10)
    download(REMOTE, tmp_path / "data.tgz")
    assert (tmp_path / "data.tgz").read_bytes() == DATA
    assert [wanted for _, wanted in server.requests] == ["bytes=140-", None]


def test_a_part_that_is_already_whole_is_taken(server, tmp_path):
    (tmp_path / "data.tgz.part").write_bytes(DATA)
    download(REMOTE, tmp_path / "data.tgz")
    assert (tmp_path / "data.tgz").read_bytes() == DATA


@pytest.mark.parametrize(("status", "reason"), [(404, "404"), (403, "403"), (500, "500"), (503, "503")])
def test_what_a_server_refuses_is_told(server, tmp_path, status, reason, monkeypatch):
    monkeypatch.setattr(downloads.time, "sleep", lambda seconds: None)
    server.status = status
    with pytest.raises(InputError, match=f"the server answers {reason}"):
        download(REMOTE, tmp_path / "data.tgz")
    assert names(tmp_path) == ["data.tgz.lock"]


def test_offline_is_told_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(downloads.time, "sleep", lambda seconds: None)
    monkeypatch.setenv("TERTIUM_MIRROR", "http://127.0.0.1:9")  # where nobody answers
    with pytest.raises(InputError, match="cannot be fetched") as error:
        download(REMOTE, tmp_path / "data.tgz")
    assert f"fetch it elsewhere (MD5 {REMOTE.checksum}) and put it at {tmp_path / 'data.tgz'}" in str(error.value)


def test_a_mirror_may_be_a_folder(tmp_path, monkeypatch):
    place = tmp_path / "mirror" / "example.org" / "sets"
    place.mkdir(parents=True)
    (place / "data.tgz").write_bytes(DATA)
    monkeypatch.setenv("TERTIUM_MIRROR", str(tmp_path / "mirror"))
    download(REMOTE, tmp_path / "data.tgz")
    assert (tmp_path / "data.tgz").read_bytes() == DATA


def test_a_proxy_is_used(server, tmp_path, monkeypatch):
    monkeypatch.setenv("TERTIUM_MIRROR", "http://mirror.invalid")
    monkeypatch.setenv("http_proxy", server.address)
    monkeypatch.setenv("no_proxy", "")
    download(REMOTE, tmp_path / "data.tgz")
    assert server.requests == [("http://mirror.invalid/example.org/sets/data.tgz", None)]


def test_without_a_mirror_only_https_will_do(tmp_path, monkeypatch):
    monkeypatch.delenv("TERTIUM_MIRROR", raising=False)
    with pytest.raises(InputError, match="begins with https"):
        download(Remote("http://example.org/x", None), tmp_path / "x")


def test_what_cannot_be_used_gets_no_name(server, tmp_path):
    def refuse(path):
        assert path.read_bytes() == DATA
        raise InputError("no archive")

    with pytest.raises(InputError, match="no archive"):
        download(REMOTE, tmp_path / "data.tgz", use=refuse)
    assert not (tmp_path / "data.tgz").exists()


def test_a_full_disk_leaves_nothing(server, tmp_path, monkeypatch):
    real = downloads._copy

    def full(*arguments):
        real(*arguments)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(downloads, "_copy", full)
    with pytest.raises(InputError, match="no space left on device. What had come of it was removed"):
        download(REMOTE, tmp_path / "data.tgz")
    assert names(tmp_path) == ["data.tgz.lock"]


def test_a_limit_of_the_system_is_told_like_a_full_disk(server, tmp_path):
    """A real one: the process may write no file larger than this."""
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "from tertium.errors import InputError\n"
        "from tertium.files.downloads import Remote, download\n"
        "try: download(Remote(sys.argv[1], sys.argv[2]), Path(sys.argv[3]))\n"
        "except InputError as error: print(error)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, ADDRESS, REMOTE.checksum, tmp_path / "data.tgz"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "cannot be written: file too large" in said.stdout
    assert not (tmp_path / "data.tgz").exists()


FETCH = """
import sys
from pathlib import Path
from tertium.files.downloads import Remote, download
print("ready", flush=True)
download(Remote(sys.argv[1], sys.argv[2]), Path(sys.argv[3]))
"""


def start(target: Path):
    return subprocess.Popen(
        [sys.executable, "-c", FETCH, ADDRESS, REMOTE.checksum, target], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_of_two_processes_one_fetches(server, tmp_path):
    server.pause = 0.02
    both = [start(tmp_path / "data.tgz") for _ in range(2)]
    for process in both:
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, b"")
    assert (tmp_path / "data.tgz").read_bytes() == DATA
    assert len(server.requests) == 1


@pytest.mark.long
def test_a_kill_leaves_nothing_or_everything(server, tmp_path):
    rng = random.Random("kill")
    server.pause = 0.01
    ends = {"nothing": 0, "everything": 0}
    for number in range(30):
        target = tmp_path / str(number) / "data.tgz"
        process = start(target)
        process.stdout.read(6)
        time.sleep(rng.uniform(0, 0.35))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if target.exists():
            assert target.read_bytes() == DATA
            ends["everything"] += 1
        else:
            assert set(names(target.parent)) <= {"data.tgz.lock", "data.tgz.part"} if target.parent.exists() else True
            ends["nothing"] += 1
        download(REMOTE, target)  # goes on, and comes to the same end
        assert target.read_bytes() == DATA
    assert ends["nothing"] > 5
