"""The tables of a study file. `docs/annotate/formats.md` explains them to readers of the file."""

FORMAT = "tertium-study 1"
APPLICATION_ID = 0x54455254  # "TERT", so that `file` and we can tell a study from any other SQLite file

# `event` is the truth: append-only, one row per save as it came. `answer` is what follows from it, kept up to date in
# the same transaction, so that a reader of the file needs no program of ours.
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE annotator (
  id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, name TEXT, token BLOB UNIQUE,
  generation INTEGER NOT NULL DEFAULT 0, platform TEXT NOT NULL DEFAULT '{}', created REAL NOT NULL,
  closed REAL, finished REAL);
CREATE TABLE system (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE document (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL DEFAULT 'real', extra TEXT);
CREATE TABLE item (
  id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES document, segment INTEGER NOT NULL,
  source TEXT NOT NULL, reference TEXT, extra TEXT);
CREATE INDEX item_document ON item (document);
CREATE TABLE output (
  id INTEGER PRIMARY KEY, item INTEGER NOT NULL REFERENCES item, system INTEGER REFERENCES system,
  text TEXT NOT NULL, kind TEXT NOT NULL DEFAULT 'target', of_output INTEGER REFERENCES output, spans TEXT, extra TEXT);
CREATE INDEX output_item ON output (item);
CREATE TABLE screen (
  id INTEGER PRIMARY KEY, task INTEGER NOT NULL, part INTEGER NOT NULL, document INTEGER NOT NULL REFERENCES document,
  kind TEXT NOT NULL DEFAULT 'real', of_screen INTEGER REFERENCES screen, words INTEGER NOT NULL DEFAULT 0,
  expected TEXT);
CREATE INDEX screen_task ON screen (task);
CREATE TABLE cell (
  screen INTEGER NOT NULL REFERENCES screen, item INTEGER NOT NULL REFERENCES item, place INTEGER NOT NULL,
  output INTEGER NOT NULL REFERENCES output, PRIMARY KEY (screen, item, place)) WITHOUT ROWID;
CREATE TABLE assignment (
  annotator INTEGER NOT NULL REFERENCES annotator, position INTEGER NOT NULL, screen INTEGER NOT NULL REFERENCES screen,
  phase INTEGER NOT NULL DEFAULT 0, leased_until REAL, opened REAL, done REAL,
  active_ms INTEGER NOT NULL DEFAULT 0, clock TEXT, PRIMARY KEY (annotator, position), UNIQUE (annotator, screen));
CREATE INDEX assignment_screen ON assignment (screen);
CREATE TABLE draw (
  annotator INTEGER NOT NULL REFERENCES annotator, screen INTEGER NOT NULL REFERENCES screen,
  system INTEGER NOT NULL REFERENCES system, document_probability REAL NOT NULL, probability REAL NOT NULL,
  PRIMARY KEY (annotator, screen, system));
CREATE TABLE answer (
  annotator INTEGER NOT NULL REFERENCES annotator, screen INTEGER NOT NULL REFERENCES screen,
  output INTEGER NOT NULL REFERENCES output, version INTEGER NOT NULL, answer TEXT NOT NULL, scores TEXT NOT NULL,
  updated REAL NOT NULL, PRIMARY KEY (annotator, screen, output));
CREATE TABLE event (
  id INTEGER PRIMARY KEY, annotator INTEGER NOT NULL REFERENCES annotator, client TEXT NOT NULL, screen INTEGER,
  output INTEGER, at REAL NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (annotator, client));
"""
JSON_TEXTS = (
    ("meta", "value"), ("annotator", "platform"), ("document", "extra"), ("item", "extra"), ("output", "spans"),
    ("output", "extra"), ("screen", "expected"), ("assignment", "clock"), ("answer", "answer"), ("answer", "scores"),
    ("event", "body"),
)  # fmt: skip
