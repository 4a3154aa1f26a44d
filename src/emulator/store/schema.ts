/**
 * The emulator's schema, one entry per `user_version`; entries are only ever added. Times are milliseconds since 1970,
 * JSON is kept as the text it came in. Archives stand last in their rows, so that reading the rest never touches them.
 */
export const migrations: readonly string[] = [
  `
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
    UNIQUE (api_key, material_id)
  ) STRICT;

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
    archive BLOB NOT NULL,
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
    archive BLOB NOT NULL
  ) STRICT;
  CREATE INDEX snapshot_by_site ON snapshot (api_key, created_ms);
  `,
]
