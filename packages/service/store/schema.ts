/** Marks the emulator's database. Those of builds before 0.1.0 have none. */
export const applicationId = 0x47_61_65_31

/** The emulator's schema. Times are milliseconds since 1970, JSON is stored as the received text. */
export const schema = `
  CREATE TABLE session (
    session_id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    api_key TEXT NOT NULL,
    material_id TEXT NOT NULL,
    callback_url TEXT NOT NULL,
    metadata TEXT NOT NULL,
    state TEXT NOT NULL,
    version_id TEXT,
    last_cdate_ms INTEGER NOT NULL DEFAULT 0,
    opened_ms INTEGER NOT NULL,
    last_access_ms INTEGER NOT NULL,
    base_version_id TEXT,
    origin TEXT NOT NULL DEFAULT '',
    UNIQUE (api_key, material_id)
  ) STRICT;
  CREATE INDEX session_by_access ON session (last_access_ms);

  CREATE TABLE version (
    version_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES session (session_id) ON DELETE CASCADE,
    cdate_ms INTEGER NOT NULL,
    user_email TEXT,
    html TEXT NOT NULL,
    state TEXT NOT NULL,
    result TEXT CHECK (result IN ('merged', 'rejected', 'webhook_failed')),
    error TEXT,
    message TEXT,
    content_id INTEGER,
    UNIQUE (session_id, cdate_ms)
  ) STRICT;

  CREATE TABLE snapshot (
    snapshot_id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    api_key TEXT NOT NULL,
    material_id TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    tree TEXT NOT NULL,
    result TEXT CHECK (result IN ('merged', 'rejected', 'webhook_failed')),
    error TEXT,
    message TEXT,
    content_id INTEGER,
    css TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE INDEX snapshot_by_site ON snapshot (api_key, created_ms);

  CREATE TABLE content (
    content_id INTEGER PRIMARY KEY AUTOINCREMENT,
    size_bytes INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE chunk (
    content_id INTEGER NOT NULL REFERENCES content (content_id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (content_id, start)
  ) STRICT;
  CREATE TABLE stored_file (
    content_id INTEGER NOT NULL REFERENCES content (content_id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    start INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    PRIMARY KEY (content_id, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE restored_file (
    session_id TEXT NOT NULL REFERENCES session (session_id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    content_id INTEGER,
    reason TEXT,
    PRIMARY KEY (session_id, name)
  ) STRICT;

  CREATE TRIGGER version_gone AFTER DELETE ON version
    BEGIN DELETE FROM content WHERE content_id = OLD.content_id; END;
  CREATE TRIGGER restored_file_gone AFTER DELETE ON restored_file
    BEGIN DELETE FROM content WHERE content_id = OLD.content_id; END;

  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = 1;
`
