"""How many annotators one process carries, and whether anything acknowledged is ever lost.

    python -m benchmarks.annotation                 # 500 and 1,000 annotators, 20 s each; 100 kills
    python -m benchmarks.annotation --kills 10 --annotators 200 --seconds 5

Annotators are simulated in one further process: each saves every three seconds on a connection of its own.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tertium.annotate.protocols import parse_protocol
from tertium.annotate.study import Design, Material, create, keys

EVERY = 3.0  # seconds between two saves of an annotator
WORDS = ["the", "bridge", "over", "river", "is", "closed", "until", "march", "and", "nobody", "knows", "why", "snow"]


def study(path: Path, annotators: int) -> bytes:
    """Make a study in which everybody has something to do."""
    rng = random.Random(7)
    texts = [" ".join(rng.choices(WORDS, k=20)) for _ in range(annotators)]
    material = Material(texts, {"one": texts, "two": texts[::-1]})
    return create(path, material, Design(parse_protocol("esa"), [""] * annotators))


def serve(path: Path, port: int) -> subprocess.Popen[bytes]:
    """Start a server and wait until it answers."""
    code = "import sys; from tertium.annotate.serving.running import serve; serve(sys.argv[1], port=int(sys.argv[2]))"
    process = subprocess.Popen([sys.executable, "-c", code, str(path), str(port)], stdout=subprocess.DEVNULL)
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return process
        except OSError:
            time.sleep(0.05)


def free_port() -> int:
    """Return a port that nobody uses."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Annotator:
    """Saves again and again; remembers what was acknowledged."""

    def __init__(self, number: int, token: str, port: int) -> None:
        self.number, self.token, self.port = number, token, port
        self.version, self.output, self.count = 0, "", 0
        self.acknowledged = 0
        self.times: list[float] = []
        self.errors = 0

    async def request(self, method: str, path: str, body: object = None) -> dict:  # type: ignore[type-arg]
        """Send a request on the open connection; plain HTTP is quicker to write than any client is to import."""
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} /a/{self.token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        self.writer.write(
            (head + f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n").encode() + data
        )
        await self.writer.drain()
        header = await self.reader.readuntil(b"\r\n\r\n")
        length = int(header.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        content = await self.reader.readexactly(length)
        if b" 200 " not in header.split(b"\r\n")[0]:
            raise RuntimeError(header.split(b"\r\n")[0].decode() + content.decode()[:200])
        found: dict = json.loads(content)  # type: ignore[type-arg]
        return found

    async def open(self) -> None:
        """Connect and look at the first screen."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        shown = await self.request("GET", "screen?n=1")
        output = shown["rows"][0]["outputs"][0]
        assert output["version"] >= self.acknowledged, "an acknowledged save is not there"
        self.output, self.version = output["id"], output["version"]

    async def save(self, prefix: str) -> None:
        """Save once, and measure it."""
        self.count += 1
        entry = {
            "id": f"{prefix}-{self.number}-{self.count}-save", "screen": 1, "output": self.output, "base": self.version,
            "answer": {"score": self.count % 101, "spans": []}, "session": "s", "trace": [[self.count * 3000, "act"]],
        }  # fmt: skip
        begin = time.perf_counter()
        (result,) = (await self.request("POST", "save", {"saves": [entry]}))["saves"]
        self.times.append(time.perf_counter() - begin)
        assert result["status"] == "saved", result
        self.version = self.acknowledged = result["version"]

    async def work(self, until: float, rng: random.Random) -> None:
        """Save every three seconds, beginning at some moment of the first three."""
        await asyncio.sleep(rng.random() * EVERY)
        while time.monotonic() < until:
            begin = time.monotonic()
            try:
                await self.save("load")
            except (OSError, RuntimeError, asyncio.IncompleteReadError):
                self.errors += 1
            await asyncio.sleep(max(0.0, EVERY - (time.monotonic() - begin)))


async def load(people: list[Annotator], seconds: float) -> None:
    """Let everybody work for a while."""
    rng = random.Random(3)
    for group in range(0, len(people), 50):
        await asyncio.gather(*(one.open() for one in people[group : group + 50]))
    until = time.monotonic() + seconds
    await asyncio.gather(*(one.work(until, rng) for one in people))
    for one in people:
        one.writer.close()


async def until_killed(people: list[Annotator], prefix: str, server: subprocess.Popen[bytes], delay: float) -> None:
    """Save as fast as it goes until the server is killed in the middle."""

    async def one(person: Annotator) -> None:
        try:
            await person.open()
            while True:
                await person.save(prefix)
        except (OSError, asyncio.IncompleteReadError):
            return

    work = [asyncio.ensure_future(one(person)) for person in people]
    await asyncio.sleep(delay)
    os.kill(server.pid, signal.SIGKILL)
    await asyncio.gather(*work)


def check(path: Path, people: list[Annotator]) -> tuple[int, int]:
    """Return how many acknowledged saves are missing, and how many stored ones are doubled."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        versions = dict(db.execute("SELECT annotator, version FROM answer"))
        events = dict(db.execute("SELECT annotator, COUNT(*) FROM event GROUP BY annotator"))
    lost = sum(max(0, one.acknowledged - versions.get(one.number, 0)) for one in people)
    doubled = sum(max(0, events.get(one.number, 0) - versions.get(one.number, 0)) for one in people)
    return lost, doubled


def people_of(key: bytes, count: int, port: int) -> list[Annotator]:
    """Return the annotators of a study."""
    return [Annotator(i, keys.annotator_token(key, i, 0), port) for i in range(1, count + 1)]


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--annotators", type=int, nargs="*", default=[500, 1000])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--kills", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for count in options.annotators:
            path = Path(folder) / f"{count}.db"
            key, port = study(path, count), free_port()
            server = serve(path, port)
            people = people_of(key, count, port)
            try:
                asyncio.run(load(people, options.seconds))
            finally:
                server.kill()
                server.wait()
            times = sorted(value for one in people for value in one.times)
            lost, doubled = check(path, people)
            p50, p99 = times[len(times) // 2], times[int(len(times) * 0.99)]
            print(
                f"{count:>5} annotators: {len(times):,} saves in {options.seconds:.0f} s, p50 {1000 * p50:.0f} ms, "
                f"p99 {1000 * p99:.0f} ms, longest {1000 * times[-1]:.0f} ms, "
                f"{sum(one.errors for one in people)} errors, {lost} lost, {doubled} doubled",
                flush=True,
            )
        if options.kills:
            path = Path(folder) / "kills.db"
            key, port = study(path, 20), free_port()
            people = people_of(key, 20, port)
            rng = random.Random(11)
            lost = doubled = 0
            for number in range(options.kills):
                server = serve(path, port)
                asyncio.run(until_killed(people, f"kill-{number}", server, 0.05 + rng.random() * 0.4))
                server.wait()
                now = check(path, people)
                lost, doubled = lost + now[0], doubled + now[1]
            saves = sum(one.acknowledged for one in people)
            print(f"{options.kills} kills: {saves:,} acknowledged saves, {lost} lost, {doubled} doubled")


if __name__ == "__main__":
    main()
