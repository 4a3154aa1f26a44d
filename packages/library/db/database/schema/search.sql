-- The texts of all stored pages, for the search: made from the files, and made again when missing. Texts that pages share are stored
-- once, so the file grows with what editors change.
CREATE TABLE read_page (
  id     INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE block (
  id   INTEGER PRIMARY KEY,  -- grows: later ones are from later pages
  hash BLOB NOT NULL UNIQUE,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE page_block (
  block INTEGER NOT NULL,
  page  INTEGER NOT NULL,
  PRIMARY KEY (block, page)
) STRICT, WITHOUT ROWID;
-- The tokens of packages/wire/text/words.ts. The texts themselves are in `block`.
CREATE VIRTUAL TABLE block_text USING fts5 (
  words,
  tokenize = 'ascii', prefix = '2 3', content = '', columnsize = 0
);
-- Removed texts leave nothing behind.
INSERT INTO block_text (block_text, rank) VALUES ('secure-delete', 1);
