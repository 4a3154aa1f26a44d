-- A failed save that a person has set aside no longer counts.
ALTER TABLE callback ADD COLUMN dismissed_at TEXT;
DROP INDEX callback_failed;
CREATE INDEX callback_failed ON callback (site, arrival, material_id, kind, outcome, code, signature, dismissed_at)
  WHERE signature = 'valid' AND outcome IN ('failed', 'rejected', 'interrupted') AND dismissed_at IS NULL;
