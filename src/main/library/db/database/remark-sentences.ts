import type { Remark, RemarkCode } from '../../../../contract/domain/remark.ts'
import { sentenceReader } from './read-sentence.ts'

/** The sentences that libraries of schema 5 and older contain instead of codes. Never change them: they are stored. */
const sentences = {
  font_file_missing: 'The fonts CSS refers to {{name}}, which is not in the archive.',
  font_tree_unread: 'The font tree of the callback could not be read and is not answered.',
  font_tree_kept: '{{name}} could not be read and was stored as it came.',
  state_unread: 'The state of the current version could not be read from the library.',
  page_file_missing: 'The page refers to {{name}}, which is not in the archive.',
  script_left: 'A script refers to temporary names and was left as it is: {{name}}.',
  page_empty: 'The page is empty.',
  entry_unexpected: '{{name}} is not part of the format and was not stored.',
  metadata_not_utf8: 'metadata_json.json was left out: it is not UTF-8.',
  metadata_not_json: 'metadata_json.json was left out: it is not JSON.',
  metadata_no_object: 'metadata_json.json holds no object and was not used.',
  more: 'There are {{name}} more such remarks.',
} as const satisfies Partial<Record<RemarkCode, string>>

const sentenceIn = sentenceReader(sentences)

/** The remark for a sentence stored by a library of schema 5 or older. */
export function readRemark(sentence: string): Remark {
  const found = sentenceIn(sentence)
  return found === null ? { code: 'as_written', name: sentence } : { code: found.code, name: found.name ?? '' }
}
