import { keysIn } from '@galley/wire'

/** Remarks about a save that was stored, in English. Stored as code and name. */
export const remarkSentences = {
  font_file_missing: 'The fonts CSS refers to {{name}}, which is not in the archive.',
  font_tree_unread: 'The font tree of the callback could not be read and is not in the response.',
  font_tree_kept: '{{name}} could not be read and was stored unchanged.',
  state_unread: 'The state of the current version could not be read from the library.',
  page_file_missing: 'The page refers to {{name}}, which is not in the archive.',
  stored_file_missing:
    'The save refers to {{name}}, a stored file that is no longer in the library, so visitors do not see it. Add the file again in the editor.',
  style_sheet_unread:
    '{{name}} is larger than 32 MB, so Galley does not follow its references: files that only it uses may be deleted.',
  script_left: 'A script refers to temporary names and was left unchanged: {{name}}.',
  page_empty: 'The page is empty.',
  entry_unexpected: '{{name}} is not part of the format and was not stored.',
  metadata_not_utf8: 'metadata_json.json was left out: it is not UTF-8.',
  metadata_not_json: 'metadata_json.json was left out: it is not JSON.',
  metadata_no_object: 'metadata_json.json does not contain an object and was not used.',
  more: 'There are {{name}} more remarks like these.',
} as const

export type RemarkCode = keyof typeof remarkSentences
export const remarkCodes = keysIn(remarkSentences)

/** `name` is a file name, a number of files, or empty. */
export interface Remark {
  readonly code: RemarkCode
  readonly name: string
}

/** Remarks are stored with the version and shown as a list. The archive determines their number, so it is limited. */
export const remarksMax = 100

/** At most `remarksMax` of these. The last one counts the omitted ones, also those that were omitted before. */
export function limitedRemarks(remarks: readonly Remark[]): readonly Remark[] {
  const named = remarks.filter(({ code }) => code !== 'more')
  const omitted = remarks.reduce((sum, { code, name }) => (code === 'more' ? sum + Number(name) : sum), 0)
  const count = named.length + omitted
  if (count <= remarksMax) return named
  return [...named.slice(0, remarksMax - 1), { code: 'more', name: String(count - remarksMax + 1) }]
}

/** The English text of a remark, for the command line and reports. */
export const remarkSentence = ({ code, name }: Remark): string =>
  // A function, because `replace` would interpret patterns in a name.
  remarkSentences[code].replace('{{name}}', () => name)
