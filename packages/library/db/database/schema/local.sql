-- What belongs to this machine alone and is no part of the library's log. Without it no save is lost.

CREATE TABLE setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE saved_view (
  site    TEXT NOT NULL,
  subject TEXT NOT NULL,
  name    TEXT NOT NULL,
  query   TEXT NOT NULL,  -- JSON
  PRIMARY KEY (site, subject, name)
) STRICT, WITHOUT ROWID;

-- Random names of what lies in the keychain, never the secrets: they tell a changed keychain from an empty one.
CREATE TABLE secret_mark (
  site          TEXT PRIMARY KEY,
  secret        TEXT,
  callback_auth TEXT
) STRICT, WITHOUT ROWID;

-- Up to which position of the log the stored deliveries stand in `callback`, and up to which webhooks were told of it; always
-- exactly one row.
CREATE TABLE callbacks_of_log (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  position INTEGER NOT NULL,
  told     INTEGER NOT NULL
) STRICT;
INSERT INTO callbacks_of_log VALUES (1, 0, 0);

-- What this computer tells to the webhooks of sites, and how that ended: the newest of each site.
CREATE TABLE webhook_delivery (
  arrival     INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT NOT NULL UNIQUE,
  site        TEXT NOT NULL,
  type        TEXT NOT NULL,
  material_id TEXT,
  at          TEXT NOT NULL,
  body        TEXT NOT NULL,  -- JSON
  state       TEXT NOT NULL DEFAULT 'waiting',
  attempts    INTEGER NOT NULL DEFAULT 0,
  -- Milliseconds since 1970; null: nothing is due.
  due_ms      INTEGER,
  -- Another process may try again from this moment on, should the one that sends it end before.
  held_ms     INTEGER NOT NULL DEFAULT 0,
  last_at     TEXT,
  status      INTEGER,
  cause       TEXT            -- JSON
) STRICT;
CREATE INDEX webhook_delivery_by_site ON webhook_delivery (site, arrival);
CREATE INDEX webhook_delivery_due ON webhook_delivery (site, due_ms) WHERE due_ms IS NOT NULL;

-- Every callback that reached a listener of this machine, and every stored one of the log.
CREATE TABLE callback (
  arrival        INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  site           TEXT NOT NULL,  -- as asked for; the site may not exist
  received_at    TEXT NOT NULL,
  kind           TEXT NOT NULL,
  material_id    TEXT,
  content_url    TEXT,
  signature      TEXT NOT NULL,
  payload        TEXT,           -- redacted
  outcome        TEXT,           -- null while the job runs
  http_status    INTEGER,
  rc             INTEGER,
  code           TEXT,
  rm             TEXT,
  version_id     TEXT,
  duplicate_of   TEXT,
  steps          TEXT NOT NULL DEFAULT '[]',
  duration_ms    INTEGER,
  headers        TEXT,           -- JSON: what may be shown
  body_bytes     INTEGER,
  -- Of a signature that did not fit: SHA-256 of it, cleaned, and what was to be cleaned; never the signature itself.
  signature_hash TEXT,
  signature_form TEXT,           -- JSON
  facts          TEXT NOT NULL DEFAULT '{}',  -- JSON: those of the failure
  -- A failed save that a person has set aside no longer counts.
  dismissed_at   TEXT,
  -- It looks like a save of the service, although its signature is not valid.
  is_suspect     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX callback_unsigned ON callback (arrival) WHERE signature <> 'valid';
CREATE INDEX callback_running ON callback (arrival) WHERE outcome IS NULL;
CREATE INDEX callback_by_outcome ON callback (outcome, arrival DESC);
CREATE INDEX callback_by_material ON callback (site, material_id, arrival DESC);
-- What narrows the list stands in the index of its order: counting reads no row, and none of what was sent.
CREATE INDEX callback_by_site ON callback (site, arrival DESC, outcome, kind, signature, received_at);
-- Failed saves may be many, and are counted at each start and after each callback: without reading their rows, which hold
-- what was sent.
CREATE INDEX callback_failed ON callback (site, arrival, material_id, kind, outcome, code, signature, dismissed_at)
  WHERE signature = 'valid' AND outcome IN ('failed', 'rejected', 'interrupted') AND dismissed_at IS NULL;
CREATE INDEX callback_stored ON callback (site, material_id, kind, arrival) WHERE outcome = 'stored';
CREATE INDEX callback_suspect ON callback (site, arrival, received_at) WHERE is_suspect = 1;

-- Which font families a page names, brings itself and asks for: read once for each distinct page, and read again when missing.
CREATE TABLE page_font (
  html_sha256 TEXT PRIMARY KEY,
  families    TEXT NOT NULL,  -- JSON array
  own         TEXT NOT NULL,  -- JSON array
  asked       TEXT NOT NULL   -- JSON array
) STRICT, WITHOUT ROWID;

-- What changed in pairs of versions: worked out when somebody looks, and again when missing.
CREATE TABLE comparison (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The hashes of the archive and font set of each version; empty for a page that is compared with nothing. After those of
  -- the second one are the parts of the page whose looks are not compared.
  before      TEXT NOT NULL,
  after       TEXT NOT NULL,
  summary     TEXT NOT NULL,  -- JSON: facts and counts, no text of a page
  changes     INTEGER NOT NULL,
  words       INTEGER NOT NULL,
  -- Whether both look the same; null: not known.
  looks_equal INTEGER CHECK (looks_equal IN (0, 1)),
  UNIQUE (before, after)
) STRICT;
CREATE INDEX comparison_equal ON comparison (id) WHERE looks_equal = 1;

-- What somebody changed while the bucket of the team was away: a field a row, until it is written or decided.
CREATE TABLE waiting_mark (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  site        TEXT NOT NULL,
  material_id TEXT NOT NULL,
  version_id  TEXT NOT NULL,    -- empty for a field of the material
  field       TEXT NOT NULL,
  seen        TEXT NOT NULL,    -- JSON array of values
  wanted      TEXT NOT NULL,    -- a value: JSON
  at          TEXT NOT NULL,
  position    INTEGER NOT NULL, -- of the log, when it was made
  theirs      TEXT,             -- where somebody has to decide: what the field holds instead, a value
  UNIQUE (site, material_id, version_id, field)
) STRICT;

-- What somebody said about a page while the bucket of the team was away, in its order. It contradicts nothing.
CREATE TABLE waiting_comment (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  change TEXT NOT NULL  -- JSON, as in the log
) STRICT;
