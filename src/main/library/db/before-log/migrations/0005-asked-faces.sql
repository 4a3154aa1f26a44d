-- Which weights and styles the texts of a page ask for. What was read before that was known is read again.
DELETE FROM page_font;
ALTER TABLE page_font ADD COLUMN asked TEXT NOT NULL DEFAULT '[]';  -- JSON array
