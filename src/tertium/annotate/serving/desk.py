"""What the routes do: people behind tokens, screens as the page gets them, saves on their way to the writer."""

import asyncio
import hmac
import json
import sqlite3
import time
from collections.abc import Mapping
from typing import Any

from tertium.annotate.study import checks, keys, saving
from tertium.annotate.study.building import add_annotator
from tertium.annotate.study.draws import assigned
from tertium.annotate.study.file import Study, get_meta
from tertium.annotate.study.saving import Person
from tertium.annotate.study.screens import Screens
from tertium.annotate.study.writer import Job, Writer
from tertium.annotate.words import words_of

_MOST_PARAMETERS, _LONGEST_PARAMETER = 12, 200


class Desk:
    """A study that is being served."""

    def __init__(self, study: Study, key: bytes) -> None:
        self.study, self.key = study, key
        self.writer = Writer(study)
        self.screens = Screens()
        self.db = study.reader()

    def close(self) -> None:
        """Finish what waits."""
        self.writer.close()
        self.db.close()

    async def write(self, job: Job) -> Any:
        """Have a job done by the writer; return when it is on the disk."""
        return await asyncio.wrap_future(self.writer.submit(job))

    def person(self, token: str) -> Person | None:
        """Return whose token this is."""
        row = self.db.execute("SELECT id, code FROM annotator WHERE token = ?", (keys.hashed(token),)).fetchone()
        return None if row is None else Person(row["id"], row["code"])

    def is_organiser(self, token: str) -> bool:
        """Whether this is the organiser's token."""
        return hmac.compare_digest(keys.hashed(token).hex(), get_meta(self.db, "organiser", ""))

    def is_join(self, token: str) -> bool:
        """Whether this is the token of the public link."""
        return hmac.compare_digest(keys.hashed(token).hex(), get_meta(self.db, "join", ""))

    def about(self, who: Person) -> dict[str, Any]:
        """Return what the page needs to know once: words, instructions, languages."""
        meta = self.study.meta
        return {
            "title": meta["title"], "protocol": meta["protocol"]["name"], "language": meta["language"],
            "words": words_of(meta["language"]), "instructions": meta["instructions"],
            "source_language": meta["source_language"], "target_language": meta["target_language"],
            "person": who.code, "return": meta["return"],
        }  # fmt: skip

    async def screen(self, who: Person, position: int | None) -> dict[str, Any] | None:
        """Return a screen, or what is said at the end; None for one that is not theirs."""
        if position is None:
            now = time.time()
            position = await self.write(lambda db: saving.open_screen(db, self.study, who, None, now))
            if position is None:
                return self._end(who)
        row = self.db.execute(
            "SELECT * FROM assignment WHERE annotator = ? AND position = ?", (who.id, position)
        ).fetchone()
        if row is None or (row["done"] is not None and not self.study.meta["return"]):
            return None
        if row["opened"] is None:
            now = time.time()
            await self.write(lambda db: saving.open_screen(db, self.study, who, position, now))
        return self._shown(who, row)

    def _shown(self, who: Person, row: sqlite3.Row) -> dict[str, Any]:
        screen = self.screens.get(self.db, row["screen"])
        protocol = self.study.protocol
        phase = protocol.phases[row["phase"]]
        answers = {
            one["output"]: (one["version"], json.loads(one["answer"]))
            for one in self.db.execute(
                "SELECT output, version, answer FROM answer WHERE annotator = ? AND screen = ?", (who.id, screen.id)
            )
        }
        rows = []
        for segment in screen.rows:
            outputs = []
            for cell in segment.cells:
                version, answer = answers.get(cell.output, (0, {"spans": list(cell.spans)} if cell.spans else {}))
                name = keys.opaque(self.study.secret, screen.id, cell.output)
                outputs.append({"id": name, "text": cell.text, "version": version, "answer": answer})
            rows.append({
                "source": segment.source if phase.source else None,
                "reference": segment.reference if phase.reference else None,
                "instructions": segment.instructions, "outputs": outputs,
            })  # fmt: skip
        return {
            "n": row["position"], "progress": self.progress(who), "phase": row["phase"],
            "phases": len(protocol.phases), "parts": [part.described() for part in phase.parts],
            "rows": rows, "part": screen.part + 1, "of_parts": screen.parts, "done": row["done"] is not None,
            "before": [
                {"source": source if phase.source else None, "outputs": outputs} for source, outputs in screen.before
            ],
            "closed": self.closed(who),
        }  # fmt: skip

    def closed(self, who: Person) -> bool:
        """Whether nothing more is taken from this person."""
        row = self.db.execute("SELECT closed FROM annotator WHERE id = ?", (who.id,)).fetchone()
        return row is None or row["closed"] is not None or get_meta(self.db, "closed") is not None

    def progress(self, who: Person) -> dict[str, Any]:
        """Return how far somebody has come; the total is unknown where screens are drawn without a limit."""
        row = self.db.execute(
            "SELECT COUNT(done) AS done, COUNT(*) AS given, COALESCE(SUM(active_ms), 0) AS active FROM assignment "
            "WHERE annotator = ?", (who.id,)
        ).fetchone()  # fmt: skip
        lists = self.study.meta["assignment"] == "lists"
        total = row["given"] if lists else self.study.meta["screens_per_annotator"]
        return {"done": row["done"], "given": row["given"], "total": total, "active_ms": row["active"]}

    def _end(self, who: Person) -> dict[str, Any]:
        """Return what is shown when all is done: a code for the platform, another one if the checks say so."""
        good = checks.passes(checks.judged(self.db, who.id, self.study.protocol.lower_is_better))
        done = self.db.execute(
            "SELECT COUNT(*) FROM assignment WHERE annotator = ? AND done IS NOT NULL", (who.id,)
        ).fetchone()[0]
        return {
            "finished": True, "closed": self.closed(who), "progress": self.progress(who),
            "code": self.study.meta["codes"][0 if good else 1] if done else None,
        }  # fmt: skip

    async def save(self, who: Person, body: Any) -> list[Any]:
        """Store what was sent; return when it is on the disk."""
        now = time.time()
        found: list[Any] = await self.write(lambda db: saving.save(db, self.study, self.screens, who, body, now))
        return found

    async def done(self, who: Person, body: Any) -> dict[str, Any]:
        """Finish a screen."""
        now = time.time()
        found: dict[str, Any] = await self.write(lambda db: saving.done(db, self.study, self.screens, who, body, now))
        return found

    async def join(self, parameters: Mapping[str, str]) -> str:
        """Make a new annotator, or find the one that came from the platform before; return the token."""
        kept = _kept(parameters)
        known = next(
            (kept[name] for name in kept if name.upper() in ("PROLIFIC_PID", "WORKERID", "PARTICIPANT_ID")), None
        )
        token = keys.token(self.key, f"platform:{known}") if known else keys.token(self.key, f"guest:{time.time_ns()}")

        def job(db: sqlite3.Connection) -> None:
            if db.execute("SELECT 1 FROM annotator WHERE token = ?", (keys.hashed(token),)).fetchone():
                return
            person = add_annotator(db, self.key, None, kept)
            db.execute("UPDATE annotator SET token = ? WHERE id = ?", (keys.hashed(token), person))
            tutorial = [row[0] for row in db.execute("SELECT id FROM screen WHERE kind = 'tutorial' ORDER BY id")]
            if tutorial:
                assigned(db, person, tutorial)

        await self.write(job)
        return token

    async def keep_parameters(self, who: Person, parameters: Mapping[str, str]) -> None:
        """Keep what a platform added to somebody's link, the first time."""
        kept = json.dumps(_kept(parameters), ensure_ascii=False)
        await self.write(
            lambda db: db.execute("UPDATE annotator SET platform = ? WHERE id = ? AND platform = '{}'", (kept, who.id))
        )

    async def status(self) -> dict[str, Any]:
        """Return what the organiser's page shows; counted in a thread, so that annotators do not wait for it."""
        from tertium.annotate.status import status_of

        return await asyncio.to_thread(lambda: status_of(self.study).to_dict())

    async def export(self) -> bytes:
        """Return all exports in one archive."""
        from tertium.annotate.exchange import archive

        return await asyncio.to_thread(archive, self.study)


def _kept(parameters: Mapping[str, str]) -> dict[str, str]:
    return {
        str(name)[:40]: str(value)[:_LONGEST_PARAMETER] for name, value in list(parameters.items())[:_MOST_PARAMETERS]
    }
