-- The index of a library: what comes out when its log is applied. Every row follows from the log, so the file may be
-- deleted at any time, and a change of this schema needs no migration: the index is made anew. Only `apply` writes here.
-- Row ids follow from positions in the log. Rows imply files: an entry names a file only after it has reached the disk.

-- How far the log has been applied; always exactly one row.
CREATE TABLE applied (
  only_row     INTEGER PRIMARY KEY CHECK (only_row = 1),
  library      TEXT NOT NULL,
  position     INTEGER NOT NULL,
  hash         TEXT NOT NULL,
  -- Where the last applied entry is in the log: bytes line_start to line_end of this segment.
  segment      INTEGER NOT NULL,
  line_start   INTEGER NOT NULL,
  line_end     INTEGER NOT NULL
) STRICT;

-- Entries up to that position which are not in the rows, because the log has lost them; `contradicts`: only in part.
CREATE TABLE lost_entry (
  position   INTEGER NOT NULL,
  count      INTEGER NOT NULL,
  kind       TEXT NOT NULL CHECK (kind IN ('damaged', 'missing', 'contradicts')),
  -- Tells damaged lines apart that follow each other: their positions are not known.
  line_start INTEGER NOT NULL,
  PRIMARY KEY (position, kind, line_start)
) STRICT, WITHOUT ROWID;

-- Entries that every computer of this format skips: their content is none of the format, or contradicts earlier entries.
CREATE TABLE refused_entry (
  position INTEGER PRIMARY KEY,
  -- The first value that the format does not have, as a path in the entry; '' for all of it.
  why      TEXT NOT NULL
) STRICT;

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
  -- Random, made when the site is added; its targets name it.
  owner               TEXT NOT NULL,
  -- A removed site leaves every list, but its materials and versions stay, and come back when the id is added again.
  removed_at          TEXT
) STRICT, WITHOUT ROWID;

-- Under which public base URLs saves of a site were stored. Pages still name them after those saves were deleted.
CREATE TABLE public_base (
  site TEXT NOT NULL REFERENCES site (id),
  base TEXT NOT NULL,
  PRIMARY KEY (site, base)
) STRICT, WITHOUT ROWID;

-- What people have set for a site, or under the empty name for all sites; null: the initial value.
CREATE TABLE site_setting (
  site           TEXT PRIMARY KEY,
  outgoing       TEXT CHECK (outgoing IN ('all', 'not-rejected', 'approved')),
  home           TEXT,  -- 'listing' or the id of a material
  language       TEXT,
  time_zone      TEXT,
  base_url       TEXT,
  description    TEXT,
  theme          TEXT,
  theme_settings TEXT,  -- JSON object
  menu           TEXT,  -- JSON array of {label, target}
  footer         TEXT,
  posts_per_page INTEGER,
  head_snippet   TEXT,
  body_snippet   TEXT,
  editors        TEXT,  -- JSON array of {pattern, reason}
  expired_token  TEXT,  -- JSON {action, key}
  pause          TEXT,  -- JSON {reason, since}
  edit_link      TEXT,
  webhook_url      TEXT,
  webhook_events   TEXT,  -- JSON array
  names_in_webhook INTEGER,
  -- Rules of review: whether who saved a version may approve it, and whether one that changes nothing approves itself.
  same_person_may_approve INTEGER CHECK (same_person_may_approve IN (0, 1)),
  approve_unchanged       INTEGER CHECK (approve_unchanged IN (0, 1)),
  live_target    TEXT,  -- the name of the target that readers see
  -- The file of a theme of files. Its reference keeps the file.
  theme_file     TEXT REFERENCES blob (sha256)
                   GENERATED ALWAYS AS (CASE WHEN theme LIKE 'files:%' THEN substr(theme, 7) END) STORED
) STRICT, WITHOUT ROWID;

CREATE TABLE material (
  id                  INTEGER PRIMARY KEY,
  site                TEXT NOT NULL REFERENCES site (id),
  material_id         TEXT NOT NULL,
  title               TEXT NOT NULL,
  slug                TEXT NOT NULL,
  -- What the table of materials sorts by: the title without regard to case.
  title_key           TEXT NOT NULL,
  -- What the service returned at the last open; null before the first one.
  session_id          TEXT,
  fingerprint         TEXT,
  editor_url          TEXT,
  last_access         TEXT,
  -- The callback URL as the last open sent it.
  opened_callback_url TEXT,
  current_version     INTEGER REFERENCES version (id),
  version_count       INTEGER NOT NULL DEFAULT 0,
  -- How many versions have come; those that were deleted since count too.
  versions_numbered   INTEGER NOT NULL DEFAULT 0,
  total_bytes         INTEGER NOT NULL DEFAULT 0,
  saved_at            TEXT,
  editor              TEXT,  -- who saved the current version
  status              TEXT NOT NULL DEFAULT 'unsaved' CHECK (status IN ('unsaved', 'saved', 'approved', 'changes_requested')),
  -- A rule that refuses saves of this one: JSON {reason, since}.
  refused             TEXT,
  -- Out of lists, searches and exports since then; null: not archived.
  archived_at         TEXT,
  -- Parts of its page whose looks are not compared: JSON.
  ignored             TEXT,
  -- The caller's metadata as the last open sent them. Last, because they may have megabytes, which a read of later columns passes.
  sent_metadata       TEXT,
  UNIQUE (site, material_id)
) STRICT;
CREATE INDEX material_by_saved ON material (site, saved_at DESC, id DESC);
CREATE INDEX material_by_title ON material (site, title_key, id);
CREATE INDEX material_by_status ON material (site, status, id);
CREATE INDEX material_by_editor ON material (site, editor, id);
CREATE INDEX material_by_versions ON material (site, version_count, id);
CREATE INDEX material_by_size ON material (site, total_bytes, id);
CREATE INDEX material_by_current ON material (current_version);
CREATE INDEX material_refused ON material (site, refused ->> 'since') WHERE refused IS NOT NULL;
CREATE INDEX material_archived ON material (site, id) WHERE archived_at IS NOT NULL;

CREATE TABLE material_tag (
  site     TEXT NOT NULL,
  tag      TEXT NOT NULL,
  material INTEGER NOT NULL REFERENCES material (id) ON DELETE CASCADE,
  PRIMARY KEY (site, tag, material)
) STRICT, WITHOUT ROWID;
CREATE INDEX material_tag_by_material ON material_tag (material, tag);

-- What a site says of its materials where it publishes them; one without a row has what a new row holds.
CREATE TABLE page (
  material     INTEGER PRIMARY KEY REFERENCES material (id) ON DELETE CASCADE,
  site         TEXT NOT NULL,
  -- The address; null: not decided yet.
  path         TEXT,
  -- The address that its entry in feeds is known by; null: that of the page.
  feed_path    TEXT,
  state        TEXT NOT NULL DEFAULT 'published' CHECK (state IN ('draft', 'published', 'hidden')),
  type         TEXT NOT NULL DEFAULT 'post' CHECK (type IN ('post', 'page')),
  published    TEXT,
  updated      TEXT,  -- a moment, or 'none'
  first_saved  TEXT,  -- the moment of the version that was published first
  not_before   TEXT,
  pinned       INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  language     TEXT,
  description  TEXT,
  tags         TEXT NOT NULL DEFAULT '[]',  -- JSON array
  author       TEXT,
  social_image TEXT,
  canonical    TEXT,
  version      TEXT NOT NULL DEFAULT 'latest',  -- 'latest', 'approved' or the id of a version
  UNIQUE (site, path)
) STRICT;

-- Earlier addresses of pages, which redirect to them; place 0 is the newest.
CREATE TABLE page_redirect (
  site     TEXT NOT NULL,
  path     TEXT NOT NULL,
  material INTEGER NOT NULL REFERENCES material (id) ON DELETE CASCADE,
  place    INTEGER NOT NULL,
  PRIMARY KEY (site, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_redirect_by_material ON page_redirect (material, place);

-- Where the list of each tag is, below tags/; kept like the addresses of pages.
CREATE TABLE tag_folder (
  site   TEXT NOT NULL,
  tag    TEXT NOT NULL,  -- its comparable name
  folder TEXT NOT NULL,
  PRIMARY KEY (site, tag),
  UNIQUE (site, folder)
) STRICT, WITHOUT ROWID;

CREATE TABLE version (
  id             INTEGER PRIMARY KEY,  -- grows with arrival
  material       INTEGER NOT NULL REFERENCES material (id),
  version_id     TEXT NOT NULL,
  -- Counted by arrival within the material; a number is never given twice.
  number         INTEGER NOT NULL,
  version_cdate  TEXT,
  -- The first half of the order of versions, in milliseconds.
  cdate_ms       INTEGER NOT NULL,
  received_at    TEXT NOT NULL,
  user_email     TEXT,
  html_sha256    TEXT NOT NULL REFERENCES blob (sha256),
  state_sha256   TEXT NOT NULL REFERENCES blob (sha256),
  archive_sha256 TEXT NOT NULL,
  kept_sha256    TEXT NOT NULL REFERENCES blob (sha256),
  media_count    INTEGER NOT NULL,
  size_bytes     INTEGER NOT NULL,
  public_base    TEXT NOT NULL,
  warnings       TEXT NOT NULL,  -- JSON array of {code, name}
  heading        TEXT,  -- of the page; null: it has none, or was not read yet
  pinned         INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  tags           TEXT NOT NULL DEFAULT '[]',  -- JSON array
  note           TEXT NOT NULL DEFAULT '',
  verdict        TEXT,  -- JSON: the last decision
  -- That which holds: null after it was cleared.
  decision       TEXT GENERATED ALWAYS AS (nullif(verdict ->> 'decision', 'cleared')) STORED,
  metadata       TEXT,  -- last, like `sent_metadata`
  UNIQUE (material, version_id)
) STRICT;
CREATE INDEX version_by_order ON version (material, cdate_ms DESC, id DESC);
CREATE INDEX version_by_html ON version (html_sha256);
CREATE INDEX version_by_state ON version (state_sha256);
CREATE INDEX version_by_kept ON version (kept_sha256);
CREATE INDEX version_decided ON version (material, cdate_ms DESC, id DESC, decision) WHERE decision IS NOT NULL;

-- Everything that people have decided about a version. The last one is also in its row.
CREATE TABLE decision (
  id       INTEGER PRIMARY KEY,  -- grows with the log
  material INTEGER NOT NULL,
  version  INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
  verdict  TEXT NOT NULL, -- JSON
  words    TEXT NOT NULL  -- of the reason, for the search
) STRICT;
CREATE INDEX decision_by_material ON decision (material, id DESC);
CREATE INDEX decision_by_version ON decision (version, id);

-- What people have said about places of a version: the first comment of a thread, and answers to it.
CREATE TABLE comment (
  id          INTEGER PRIMARY KEY,   -- grows with the log
  comment_id  TEXT NOT NULL UNIQUE,  -- random
  version     INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
  thread      INTEGER REFERENCES comment (id) ON DELETE CASCADE,  -- null: it begins one
  anchor      TEXT CHECK ((anchor IS NULL) = (thread IS NOT NULL)),  -- JSON
  text        TEXT NOT NULL,
  words       TEXT NOT NULL,  -- of text and quote, for the search
  author      TEXT NOT NULL,  -- empty after the name was erased
  at          TEXT NOT NULL,
  resolved_by TEXT,
  resolved_at TEXT
) STRICT;
CREATE INDEX comment_by_version ON comment (version, id);
CREATE INDEX comment_by_thread ON comment (thread, id);
CREATE INDEX comment_by_author ON comment (author);
CREATE INDEX comment_by_resolver ON comment (resolved_by) WHERE resolved_by IS NOT NULL;
CREATE INDEX comment_open ON comment (version) WHERE thread IS NULL AND resolved_at IS NULL;

CREATE TABLE media (
  version    INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
  name       TEXT NOT NULL,
  sha256     TEXT NOT NULL REFERENCES blob (sha256),
  size_bytes INTEGER NOT NULL,
  PRIMARY KEY (version, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_by_blob ON media (sha256, name);

-- Every file that some version has brought, by the name in its URL. It is served for as long as its blob is there.
CREATE TABLE media_file (
  sha256 TEXT NOT NULL REFERENCES blob (sha256) ON DELETE CASCADE,
  name   TEXT NOT NULL,
  PRIMARY KEY (sha256, name)
) STRICT, WITHOUT ROWID;

-- Files of earlier saves that a version's page or state names by their public URL: it needs them as much as its own.
CREATE TABLE media_reference (
  version    INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
  hash_start TEXT NOT NULL,  -- the first 32 hex digits
  name       TEXT NOT NULL,
  PRIMARY KEY (version, hash_start, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_reference_by_file ON media_reference (hash_start, name);

-- Versions whose references were not read yet.
CREATE TABLE unread_version (
  version INTEGER PRIMARY KEY REFERENCES version (id) ON DELETE CASCADE
) STRICT;

-- Stored files that may name others: style sheets and trees of font sets, and media files of such a type. What they name is
-- found in the background.
CREATE TABLE style_sheet (
  sha256  TEXT PRIMARY KEY REFERENCES blob (sha256) ON DELETE CASCADE,
  is_read INTEGER NOT NULL DEFAULT 0 CHECK (is_read IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX style_sheet_unread ON style_sheet (sha256) WHERE is_read = 0;

-- Media files that such a file names by their public URL: they are needed for as long as it is there.
CREATE TABLE style_reference (
  sheet      TEXT NOT NULL REFERENCES style_sheet (sha256) ON DELETE CASCADE,
  hash_start TEXT NOT NULL,  -- the first 32 hex digits
  name       TEXT NOT NULL,
  PRIMARY KEY (sheet, hash_start, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX style_reference_by_file ON style_reference (hash_start, name);

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
  warnings       TEXT NOT NULL,  -- JSON array of {code, name}
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

-- Where the bytes of each blob are: the whole of file `sha256`, or a slice of the file `pack`.
CREATE TABLE blob (
  sha256     TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  pack       TEXT,
  pack_at    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_by_pack ON blob (pack) WHERE pack IS NOT NULL;

-- Files that were named once and are not needed any more: they may be deleted. Any other file without a name may not.
CREATE TABLE dropped_file (
  sha256 TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Files whose objects were removed from the bucket of a team, and the position in the log at which that was last decided.
CREATE TABLE retired_file (
  sha256   TEXT PRIMARY KEY,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The ledger: one stored delivery per site, event, material and content_url (INTERFACES section 3).
CREATE TABLE delivery (
  id          INTEGER PRIMARY KEY,
  callback    TEXT NOT NULL,
  site        TEXT NOT NULL,
  kind        TEXT NOT NULL,
  material_id TEXT,
  content_url TEXT,
  version_id  TEXT NOT NULL,
  -- The redacted payload of a font set, from which a repair fills its tree again.
  payload     TEXT,
  UNIQUE (site, kind, material_id, content_url)
) STRICT;
CREATE INDEX delivery_by_version ON delivery (site, kind, version_id, material_id);
-- Few have one: only those of font sets.
CREATE INDEX delivery_with_payload ON delivery (callback) WHERE payload IS NOT NULL;

CREATE TABLE export (
  arrival INTEGER PRIMARY KEY,
  id      TEXT NOT NULL UNIQUE,
  site    TEXT NOT NULL REFERENCES site (id),
  at      TEXT NOT NULL,
  request TEXT NOT NULL,  -- JSON: what was asked for
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

-- Where bundles are published, and what was. Pages stand here as long as a release can be published again.
CREATE TABLE target (
  site     TEXT NOT NULL REFERENCES site (id),
  name     TEXT NOT NULL,
  settings TEXT NOT NULL,  -- JSON: place, public URL, schedule
  PRIMARY KEY (site, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE release (
  arrival     INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  site        TEXT NOT NULL REFERENCES site (id),
  target      TEXT NOT NULL,
  at          TEXT NOT NULL,
  record      TEXT NOT NULL,  -- SHA-256 of the text that lists its files
  rollback_of TEXT,
  by          TEXT NOT NULL,
  counts      TEXT NOT NULL,  -- JSON
  links       TEXT            -- JSON
) STRICT;
CREATE INDEX release_by_target ON release (site, target, arrival DESC);
CREATE TABLE release_page (
  version INTEGER NOT NULL REFERENCES version (id),
  release INTEGER NOT NULL REFERENCES release (arrival) ON DELETE CASCADE,
  PRIMARY KEY (version, release)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_page_by_release ON release_page (release);
-- The version of each page in the last release of a target, and the moment of the first release that has had it ever since.
CREATE TABLE online_page (
  material INTEGER NOT NULL REFERENCES material (id) ON DELETE CASCADE,
  target   TEXT NOT NULL,
  site     TEXT NOT NULL,
  version  INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
  since    TEXT NOT NULL,
  PRIMARY KEY (material, target)
) STRICT, WITHOUT ROWID;
CREATE INDEX online_page_by_target ON online_page (site, target);
CREATE INDEX online_page_by_version ON online_page (version);

-- The text of the current page of each material, for search. It is not in the log: after a rebuild it is read from its file.
CREATE TABLE page_text (
  material INTEGER PRIMARY KEY REFERENCES material (id) ON DELETE CASCADE,
  text     TEXT NOT NULL
) STRICT;
-- One document per material: its current version. The rowid is the material's. It holds the tokens that packages/wire/text/words.ts
-- makes, separated by spaces: the tokenizer 'ascii' separates nothing else in them.
CREATE VIRTUAL TABLE material_text USING fts5 (
  title, material_id, tags, page,
  tokenize = 'ascii', prefix = '2 3'
);
-- A word in the title says more than one in the page.
INSERT INTO material_text (material_text, rank) VALUES ('rank', 'bm25(8.0, 6.0, 4.0, 1.0)');
-- Materials whose current page has not been read into their document yet.
CREATE TABLE unread_page (
  material INTEGER PRIMARY KEY REFERENCES material (id) ON DELETE CASCADE
) STRICT;
