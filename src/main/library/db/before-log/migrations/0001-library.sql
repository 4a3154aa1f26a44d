-- The index of a library. Rows imply files: a row that names a blob is written only after the blob has reached the disk.

CREATE TABLE setting (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE site (
  id                  TEXT PRIMARY KEY,
  name                TEXT NOT NULL,
  environment         TEXT NOT NULL CHECK (environment IN ('dev', 'prod')),
  base_url            TEXT NOT NULL,
  api_key             TEXT NOT NULL,
  callback_url        TEXT NOT NULL,
  public_url          TEXT,
  allowed_domains     TEXT NOT NULL,  -- JSON array
  download_origins    TEXT NOT NULL,  -- JSON array
  signature_header    TEXT NOT NULL,
  publish             TEXT NOT NULL,
  unknown_materials   TEXT NOT NULL CHECK (unknown_materials IN ('refuse', 'accept')),
  callback_auth       TEXT NOT NULL CHECK (callback_auth IN ('none', 'basic', 'bearer')),
  max_content_bytes   INTEGER NOT NULL,
  request_timeout_ms  INTEGER NOT NULL,
  download_timeout_ms INTEGER NOT NULL,
  -- Random names of what lies in the keychain, never the secrets: they tell a changed keychain from an empty one.
  secret_mark         TEXT,
  callback_auth_mark  TEXT,
  -- A removed site leaves every list, but its materials and versions stay, and come back when the id is added again.
  removed_at          TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE material (
  id               INTEGER PRIMARY KEY,
  site             TEXT NOT NULL REFERENCES site (id),
  material_id      TEXT NOT NULL,
  title            TEXT NOT NULL,
  slug             TEXT NOT NULL,
  tags             TEXT NOT NULL DEFAULT '[]',  -- JSON array
  -- What the service returned at the last open; null before the first one.
  session_id       TEXT,
  fingerprint      TEXT,
  editor_url       TEXT,
  last_access      TEXT,
  -- The caller's metadata as last sent, without what Galley adds.
  sent_metadata    TEXT,
  current_version  INTEGER REFERENCES version (id),
  version_count    INTEGER NOT NULL DEFAULT 0,
  saved_at         TEXT,
  UNIQUE (site, material_id)
) STRICT;
CREATE INDEX material_by_saved ON material (site, saved_at DESC, id DESC);

CREATE TABLE version (
  id             INTEGER PRIMARY KEY,  -- grows with arrival
  material       INTEGER NOT NULL REFERENCES material (id),
  version_id     TEXT NOT NULL,
  version_cdate  TEXT,
  -- The moment of version_cdate, or of arrival when the service gave none: the first half of the order of versions.
  cdate_ms       INTEGER NOT NULL,
  received_at    TEXT NOT NULL,
  user_email     TEXT,
  html_sha256    TEXT NOT NULL REFERENCES blob (sha256),
  state_sha256   TEXT NOT NULL REFERENCES blob (sha256),
  metadata       TEXT,
  archive_sha256 TEXT NOT NULL,
  kept_sha256    TEXT NOT NULL REFERENCES blob (sha256),
  media_count    INTEGER NOT NULL,
  size_bytes     INTEGER NOT NULL,
  public_base    TEXT NOT NULL,
  warnings       TEXT NOT NULL,  -- JSON array
  UNIQUE (material, version_id)
) STRICT;
CREATE INDEX version_by_order ON version (material, cdate_ms DESC, id DESC);
CREATE INDEX version_by_html ON version (html_sha256);
CREATE INDEX version_by_state ON version (state_sha256);
CREATE INDEX version_by_kept ON version (kept_sha256);

CREATE TABLE media (
  version    INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  sha256     TEXT NOT NULL REFERENCES blob (sha256),
  size_bytes INTEGER NOT NULL,
  PRIMARY KEY (version, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_by_blob ON media (sha256, name);

CREATE TABLE snapshot (
  id             INTEGER PRIMARY KEY,
  site           TEXT NOT NULL REFERENCES site (id),
  snapshot_id    TEXT NOT NULL,
  received_at    TEXT NOT NULL,
  css_sha256     TEXT NOT NULL REFERENCES blob (sha256),
  tree_sha256    TEXT REFERENCES blob (sha256),
  answer_sha256  TEXT REFERENCES blob (sha256),
  archive_sha256 TEXT NOT NULL,
  kept_sha256    TEXT NOT NULL REFERENCES blob (sha256),
  public_base    TEXT NOT NULL,
  warnings       TEXT NOT NULL,  -- JSON array
  UNIQUE (site, snapshot_id)
) STRICT;
CREATE INDEX snapshot_by_site ON snapshot (site, id DESC);

CREATE TABLE font_file (
  snapshot   INTEGER NOT NULL REFERENCES snapshot (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  sha256     TEXT NOT NULL REFERENCES blob (sha256),
  size_bytes INTEGER NOT NULL,
  PRIMARY KEY (snapshot, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX font_file_by_blob ON font_file (sha256);

-- Where the bytes of each blob lie: the whole of file `sha256`, or a slice of the file `pack`.
CREATE TABLE blob (
  sha256     TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  pack       TEXT,
  pack_at    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_by_pack ON blob (pack) WHERE pack IS NOT NULL;

CREATE TABLE callback (
  arrival       INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  site          TEXT NOT NULL,  -- as asked for; the site may not exist
  received_at   TEXT NOT NULL,
  kind          TEXT NOT NULL,
  material_id   TEXT,
  content_url   TEXT,
  signature     TEXT NOT NULL,
  payload       TEXT,           -- redacted
  outcome       TEXT,           -- null while the job runs
  http_status   INTEGER,
  rc            INTEGER,
  code          TEXT,
  rm            TEXT,
  version_id    TEXT,
  duplicate_of  TEXT,
  steps         TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX callback_by_site ON callback (site, arrival DESC);
CREATE INDEX callback_unsigned ON callback (arrival) WHERE signature <> 'valid';
CREATE INDEX callback_running ON callback (arrival) WHERE outcome IS NULL;
-- The ledger: one stored delivery per site, event, material and content_url (INTERFACES section 3).
CREATE UNIQUE INDEX callback_ledger ON callback (site, kind, material_id, content_url) WHERE outcome = 'stored';

-- One document per material: its current version. The rowid is the material's.
CREATE VIRTUAL TABLE material_text USING fts5 (
  title, material_id, tags, page,
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
