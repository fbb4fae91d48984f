"""A study whose file was damaged: an answer or one sentence, whatever the damage."""

import random
import sqlite3
import subprocess
import sys

import pytest

from annotate.conftest import served, work_through
from tertium.annotate.study import Study
from tertium.errors import InputError
from tertium.judgments import read_judgments

TERTIUM = [sys.executable, "-c", "from tertium.cli.main import main; main()"]
COMMANDS = (["annotate", "status"], ["annotate", "links"], ["judgments", "info"])


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "study.db"
    with served(path, protocol="adequacy") as site:
        work_through(site, 1)
    return path


def damaged(whole, rng):
    changed = bytearray(whole)
    kind = rng.randrange(3)
    start = rng.randrange(100, len(changed))  # behind the bytes that tell a study from other files
    if kind == 0:
        for _ in range(20):
            changed[rng.randrange(100, len(changed))] ^= 1 << rng.randrange(5)
    elif kind == 1:
        del changed[start:]
    else:
        changed[start:start] = changed[start // 2 : start]
    return bytes(changed)


@pytest.mark.slow
def test_every_command_answers_or_refuses(study):
    rng = random.Random(1)
    whole = study.read_bytes()
    for _ in range(5):
        study.write_bytes(damaged(whole, rng))
        for command in COMMANDS:
            result = subprocess.run([*TERTIUM, *command, study], capture_output=True, timeout=120)
            assert result.returncode in (0, 1)
            assert b"Traceback" not in result.stderr


def test_a_text_that_is_no_json_is_found(study):
    whole = study.read_bytes()
    assert whole.count(b'{"fluency"')
    study.write_bytes(whole.replace(b'{"fluency"', b'["fluency"'))
    with pytest.raises(InputError, match="is no JSON. Is it damaged"):
        read_judgments(str(study))


def test_a_row_that_belongs_to_none_is_found(study):
    with sqlite3.connect(study) as db:
        db.execute("DELETE FROM document")
    with pytest.raises(InputError, match="belongs to none of document. Is it damaged"):
        Study.opened(study)
