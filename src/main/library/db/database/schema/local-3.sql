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
