-- Failed saves are few among the callbacks of a site, and counted after each callback.
CREATE INDEX callback_failed ON callback (site, arrival)
  WHERE signature = 'valid' AND outcome IN ('failed', 'rejected', 'interrupted');
