import { expect, it } from 'vitest'

import { readRemark } from '../../../../../src/main/library/db/database/remark-sentences.ts'

const name = "a, which is not in $& {{name}}'s\nb\u2028.png"

/** As libraries contain them: these sentences never change, however remarks are worded today. */
it.each([
  ['font_file_missing', name, `The fonts CSS refers to ${name}, which is not in the archive.`],
  ['font_tree_unread', '', 'The font tree of the callback could not be read and is not answered.'],
  ['font_tree_kept', name, `${name} could not be read and was stored as it came.`],
  ['state_unread', '', 'The state of the current version could not be read from the library.'],
  ['page_file_missing', name, `The page refers to ${name}, which is not in the archive.`],
  ['page_file_missing', '', 'The page refers to , which is not in the archive.'],
  ['script_left', name, `A script refers to temporary names and was left as it is: ${name}.`],
  ['page_empty', '', 'The page is empty.'],
  ['entry_unexpected', name, `${name} is not part of the format and was not stored.`],
  ['metadata_not_utf8', '', 'metadata_json.json was left out: it is not UTF-8.'],
  ['metadata_not_json', '', 'metadata_json.json was left out: it is not JSON.'],
  ['metadata_no_object', '', 'metadata_json.json holds no object and was not used.'],
  ['more', '12', 'There are 12 more such remarks.'],
  ['as_written', 'The page refers to the sea.', 'The page refers to the sea.'],
  ['as_written', '', ''],
  ['as_written', 'The page is empty', 'The page is empty'],
  ['as_written', ' The page is empty.', ' The page is empty.'],
] as const)('a remark that was stored as a sentence is read as %s', (code, called, sentence) =>
  expect(readRemark(sentence)).toEqual({ code, name: called }),
)
