-- Failed saves may be many, and are counted at each start and after each callback: without reading their rows, which hold
-- what was sent.
DROP INDEX callback_failed;
CREATE INDEX callback_failed ON callback (site, arrival, material_id, kind, outcome, code, signature)
  WHERE signature = 'valid' AND outcome IN ('failed', 'rejected', 'interrupted');
CREATE INDEX callback_stored ON callback (site, material_id, kind, arrival) WHERE outcome = 'stored';
