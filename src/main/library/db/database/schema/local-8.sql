-- A failed save that a person has set aside no longer counts.
ALTER TABLE callback ADD COLUMN dismissed_at TEXT;
DROP INDEX callback_failed;
CREATE INDEX callback_failed ON callback (site, arrival, material_id, kind, outcome, code, signature, dismissed_at)
  WHERE signature = 'valid' AND outcome IN ('failed', 'rejected', 'interrupted') AND dismissed_at IS NULL;
-- A callback that looks like a save of the service, although its signature is not valid.
ALTER TABLE callback ADD COLUMN is_suspect INTEGER NOT NULL DEFAULT 0;
CREATE INDEX callback_suspect ON callback (site, arrival, received_at) WHERE is_suspect = 1;
