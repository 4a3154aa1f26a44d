-- What the interface lists, sorts, marks and remembers.

CREATE TABLE material_tag (
  site     TEXT NOT NULL,
  tag      TEXT NOT NULL,
  material INTEGER NOT NULL REFERENCES material (id) ON DELETE CASCADE,
  PRIMARY KEY (site, tag, material)
) STRICT, WITHOUT ROWID;
CREATE INDEX material_tag_by_material ON material_tag (material, tag);
-- Was always the empty list: nothing could set it.
ALTER TABLE material DROP COLUMN tags;

ALTER TABLE version ADD COLUMN pinned       INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1));
ALTER TABLE version ADD COLUMN tags         TEXT NOT NULL DEFAULT '[]';  -- JSON array
ALTER TABLE version ADD COLUMN note         TEXT NOT NULL DEFAULT '';
ALTER TABLE version ADD COLUMN verdict      TEXT CHECK (verdict IN ('approved', 'rejected'));
ALTER TABLE version ADD COLUMN verdict_note TEXT NOT NULL DEFAULT '';
ALTER TABLE version ADD COLUMN verdict_at   TEXT;

-- What the table of materials sorts by, kept beside each material so that an index has the order.
ALTER TABLE material ADD COLUMN title_key   TEXT NOT NULL DEFAULT '';  -- the title without regard to case
ALTER TABLE material ADD COLUMN total_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE material ADD COLUMN editor      TEXT;  -- who saved the current version
ALTER TABLE material ADD COLUMN status      TEXT NOT NULL DEFAULT 'unsaved'
  CHECK (status IN ('unsaved', 'saved', 'approved', 'rejected'));
-- A rule that refuses saves of this one.
ALTER TABLE material ADD COLUMN refused_reason TEXT;
ALTER TABLE material ADD COLUMN refused_since  TEXT;
-- The callback URL that the last open told the service.
ALTER TABLE material ADD COLUMN opened_callback_url TEXT;
UPDATE material SET
  title_key = sort_key(title),
  total_bytes = coalesce((SELECT sum(size_bytes) FROM version WHERE material = material.id), 0),
  editor = (SELECT user_email FROM version WHERE id = current_version),
  status = iif(current_version IS NULL, 'unsaved', 'saved');
CREATE INDEX material_by_title ON material (site, title_key, id);
CREATE INDEX material_by_status ON material (site, status, id);
CREATE INDEX material_by_editor ON material (site, editor, id);
CREATE INDEX material_by_versions ON material (site, version_count, id);
CREATE INDEX material_by_size ON material (site, total_bytes, id);
CREATE INDEX material_refused ON material (site, refused_since) WHERE refused_since IS NOT NULL;
-- A word in the title says more than one in the page.
INSERT INTO material_text (material_text, rank) VALUES ('rank', 'bm25(8.0, 6.0, 4.0, 1.0)');

CREATE TABLE saved_view (
  site    TEXT NOT NULL REFERENCES site (id),
  subject TEXT NOT NULL,
  name    TEXT NOT NULL,
  query   TEXT NOT NULL,  -- JSON
  PRIMARY KEY (site, subject, name)
) STRICT, WITHOUT ROWID;

ALTER TABLE callback ADD COLUMN duration_ms INTEGER;
ALTER TABLE callback ADD COLUMN headers     TEXT;     -- JSON: what may be shown
ALTER TABLE callback ADD COLUMN body_bytes  INTEGER;
-- Of a signature that did not fit: SHA-256 of it, cleaned, and what was to be cleaned; never the signature itself.
ALTER TABLE callback ADD COLUMN signature_hash TEXT;
ALTER TABLE callback ADD COLUMN signature_form TEXT;  -- JSON
ALTER TABLE callback ADD COLUMN facts       TEXT NOT NULL DEFAULT '{}';  -- JSON: those of the failure
CREATE INDEX callback_by_outcome ON callback (outcome, arrival DESC);
CREATE INDEX callback_by_material ON callback (site, material_id, arrival DESC);

CREATE TABLE site_rule (
  site         TEXT PRIMARY KEY REFERENCES site (id),
  pause_reason TEXT,
  paused_since TEXT,
  editors      TEXT NOT NULL DEFAULT '[]',  -- JSON array of {pattern, reason}
  token_action TEXT NOT NULL DEFAULT 'accept' CHECK (token_action IN ('refuse', 'accept')),
  token_key    TEXT NOT NULL DEFAULT 'timeLimitedAuthToken'
) STRICT, WITHOUT ROWID;

CREATE TABLE export (
  arrival INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  site    TEXT NOT NULL REFERENCES site (id),
  at      TEXT NOT NULL,
  wish    TEXT NOT NULL,  -- JSON: what was asked for
  report  TEXT NOT NULL,  -- JSON: counts, broken references, fingerprint
  pages   INTEGER NOT NULL
) STRICT;
CREATE INDEX export_by_site ON export (site, arrival DESC);
CREATE TABLE export_page (
  version INTEGER NOT NULL REFERENCES version (id),
  export  INTEGER NOT NULL REFERENCES export (arrival) ON DELETE CASCADE,
  PRIMARY KEY (version, export)
) STRICT, WITHOUT ROWID;
CREATE INDEX export_page_by_export ON export_page (export);

-- Which font families a page names, and which of them it brings itself: read once for each distinct page.
CREATE TABLE page_font (
  html_sha256 TEXT PRIMARY KEY REFERENCES blob (sha256) ON DELETE CASCADE,
  families    TEXT NOT NULL,  -- JSON array
  own         TEXT NOT NULL   -- JSON array
) STRICT, WITHOUT ROWID;
