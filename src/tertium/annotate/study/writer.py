"""One thread writes. Whatever waits is done in one transaction, so one sync to the disk serves many annotators."""

import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from tertium.annotate.study.file import Study

MOST = 500  # jobs in one commit
Job = Callable[[sqlite3.Connection], Any]


class Writer:
    """Takes jobs from any thread; a job's future holds its result only once it is on the disk."""

    def __init__(self, study: Study) -> None:
        self._db = study.writer()
        self._jobs: queue.SimpleQueue[tuple[Job, Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="study writer", daemon=True)
        self._closed = False
        self._thread.start()

    def submit(self, job: Job) -> "Future[Any]":
        """Have a job done. Each is whole or not at all; what one job raises does not touch the others."""
        future: Future[Any] = Future()
        if self._closed:
            future.set_exception(sqlite3.OperationalError("the study is being closed"))
        else:
            self._jobs.put((job, future))
        return future

    def close(self) -> None:
        """Finish what waits, then close the file."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join()
        self._db.close()

    def _run(self) -> None:
        while (first := self._jobs.get()) is not None:
            batch = [first]
            last = False
            while len(batch) < MOST and not last:
                try:
                    following = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if following is None:
                    last = True
                else:
                    batch.append(following)
            self._commit(batch)
            if last:
                return

    def _commit(self, batch: list[tuple[Job, "Future[Any]"]]) -> None:
        results: list[tuple[Future[Any], Any, BaseException | None]] = []
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for job, future in batch:
                self._db.execute("SAVEPOINT job")
                try:
                    results.append((future, job(self._db), None))
                except Exception as error:
                    self._db.execute("ROLLBACK TO job")
                    results.append((future, None, error))
                self._db.execute("RELEASE job")
            self._db.execute("COMMIT")
        except Exception as error:  # the disk is full, or another program holds the file
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            results = [(future, None, error) for _, future in batch]
        for future, result, failure in results:
            if future.set_running_or_notify_cancel():
                if failure is None:
                    future.set_result(result)
                else:
                    future.set_exception(failure)
