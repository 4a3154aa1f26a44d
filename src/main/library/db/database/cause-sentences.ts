import type { Database } from 'better-sqlite3'

import type { Cause, CauseCode } from '../../../../contract/cause.ts'
import { sentenceReader } from './read-sentence.ts'

/** The sentences that older callback logs contain instead of codes. Never change them: they are stored. */
const sentences = {
  body_too_early: 'it expects an answer before it is sent',
  not_http: 'it is not HTTP',
  not_utf8: 'it is not UTF-8',
  not_json: 'it is not JSON, {{why}}',
  not_json_object: 'it is not a JSON object',
  member_missing: '{{name}} is missing or not a string',
  member_too_long: '{{name}} is too long',
  no_host: 'it names no host',
  two_hosts: 'it names more than one host',
  ends_early: 'it ends too early',
  byte_order_mark: 'it begins with a byte order mark',
  key_expected: 'a quoted key is expected',
  colon_expected: 'a colon is expected',
  comma_expected: 'a comma or an end is expected',
  value_expected: 'a value is expected',
  number_malformed: 'a number is malformed',
  too_deep: 'it is nested too deeply',
  more_after_end: 'there is more after its end',
  control_character: 'a string holds a control character',
  unknown_escape: 'a string holds an unknown escape',
  string_open: 'a string is not closed',
  not_object: 'it is not an object',
  assets_not_object: 'its assets are not an object',
  service_status: 'the service answered with status {{name}}',
  wrong_encoding: 'the service sent it in an encoding that was not asked for',
  too_late: 'it did not arrive within {{name}} s',
  service_refuses: 'the service refuses connections',
  connection_cut: 'the connection was cut',
  service_not_found: 'the service cannot be found',
  service_not_found_now: 'the service cannot be found right now',
  service_silent: 'the service does not answer',
  service_unreached: 'the network does not reach the service',
  private_network: 'the name of the service leads to a private network',
  service_stopped: 'the service stopped sending',
  stopped: 'it was stopped',
  other_length: 'the service sent another length than it said',
  service_unreadable: 'the service sent something unreadable',
  certificate: 'the certificate of the service is not valid',
  size: 'its size',
  entry_count: 'the number of its files',
  directory_size: 'its directory',
  unpacked_size: 'what it unpacks to',
  page_memory: 'the memory that its page takes',
  not_zip: 'it is not a whole ZIP file',
  end_damaged: 'its end is damaged, or something follows it',
  many_ends: 'it has more than one end',
  zip64_locator: 'its Zip64 locator points elsewhere',
  zip64_end: 'its Zip64 end record is damaged',
  ends_disagree: 'its two end records disagree',
  part_of_several: 'it is one part of several',
  directory_elsewhere: 'its directory is not where its end says',
  directory_longer: 'its directory has more files than its end says',
  directory_damaged: 'its directory is damaged',
  bytes_of_nobody: 'it holds bytes that belong to no file',
  files_overlap: 'its files overlap',
  lacks: 'it has no {{name}}',
  two_alike: 'two files are named {{name}}',
  font_named_css: 'a font file is named {{name}}, as the CSS is',
  name_too_long: 'the name of a file is longer than {{name}} bytes',
  name_not_utf8: 'the name of a file is not the UTF-8 it claims to be',
  name_unsafe: 'the name {{name}} is not safe: {{why}}',
  name_empty: 'it is empty',
  name_controls: 'it holds control characters',
  name_backslash: 'it holds a backslash',
  name_absolute: 'it is absolute',
  name_leaves: 'it leaves its folder',
  name_empty_folder: 'it holds an empty folder name',
  extra_damaged: 'the extra fields of {{name}} are damaged',
  encrypted: '{{name}} is encrypted',
  patch: '{{name}} is a patch',
  method: '{{name}} is compressed by method {{why}}; only deflate is read',
  two_sizes: '{{name}} has two different sizes',
  device: '{{name}} is a link or a device',
  link: '{{name}} is a link',
  folder_and_file: '{{name}} is a folder and a file at once',
  other_disk: '{{name}} is on another disk',
  not_there: 'there is no file where {{name}} should be',
  two_descriptions: '{{name}} is described in two different ways',
  unknown_follows: 'something unknown follows {{name}}',
  damaged: '{{name}} is damaged: {{why}}',
  bad_data: 'its compressed data are broken',
  bad_length: 'it is not as long as declared',
  bad_checksum: 'its checksum does not match',
  unreadable: '{{name}} cannot be read: {{why}}',
  disk_full: 'the disk is full',
  no_room: 'there is not enough room on the disk',
  quota_used: 'the disk quota is used up',
  disk_read_only: 'the disk is read-only',
  library_read_only: 'the library is read-only',
  not_writable: 'a file or folder may not be written',
  file_missing: 'a file or folder is missing',
  file_in_the_way: 'a file is in the way',
  many_files_open: 'too many files are open',
  disk_error: 'the disk reported an error',
  index_not_opened: 'the index of the library may not be opened',
  index_not_ours: 'the index of the library is none of Galley',
  index_damaged: 'the index of the library is damaged',
  index_held: 'another program holds the index of the library',
  files_held: 'another process holds the files of the library',
  file_unusable: 'a file could not be used ({{name}})',
  unexpected: 'an unexpected fault',
  unpacking_stopped: 'unpacking the archive stopped unexpectedly',
  closing: 'Galley is closing',
  not_redacted: 'credentials could not be taken out of the archive',
  no_bucket_keys: 'there are no keys for the bucket in the environment',
  bucket_unreached: 'the bucket cannot be reached',
  bucket_refused: 'the bucket refused a file (status {{name}})',
  at_character: '{{why}} (at character {{name}})',
} as const satisfies Partial<Record<CauseCode, string>>

/** Older callback logs contain these answers as the reason of a blocked save. Never change them: they are stored. */
const refusal =
  /^Saves(?: of this (?:material|editor))? are (?:paused|refused|blocked)(?:: (?<text>[^]*))?\. Nothing was saved\.$/

/**
 * Registers functions for statements of `db` that replace sentences in the facts of a failure: `causes_as_data(facts)` by
 * codes, `refusals_as_data(facts)` by the administrator's own text.
 */
export function registerCauses(db: Database): void {
  for (const [name, asData] of [
    ['causes_as_data', causesAsData],
    ['refusals_as_data', refusalsAsData],
  ] as const)
    db.function(name, { deterministic: true }, (json) => {
      const facts = objectIn(String(json))
      // A damaged row must not prevent opening the library.
      return facts === null ? json : JSON.stringify(asData(facts))
    })
}

function causesAsData(facts: Facts): Facts {
  // The reason of a rule is not a cause.
  if ('rule' in facts) return facts
  const causes = ['problem', 'reason', 'what'].flatMap((name) => {
    const fact = facts[name]
    return typeof fact === 'string' ? [[name, readCause(fact) ?? fact]] : []
  })
  return { ...facts, ...Object.fromEntries(causes) }
}

function refusalsAsData(facts: Facts): Facts {
  const { rule, reason } = facts
  if (typeof reason !== 'string') return facts
  if (rule === 'unknown_material' || rule === 'expired_token') return { ...facts, reason: '' }
  const found = refusal.exec(reason)
  return found === null ? facts : { ...facts, reason: found.groups?.['text'] ?? '' }
}

type Facts = Readonly<Record<string, unknown>>

function objectIn(json: string): Facts | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

const sentenceIn = sentenceReader(sentences)

/** The cause for a sentence; null for names and for text from the service. */
function readCause(sentence: string): Cause | null {
  const found = sentenceIn(sentence)
  if (found === null) return null
  const { code, name, why } = found
  return { code, ...(name !== undefined && { name }), ...(why !== undefined && { why: readCause(why) ?? why }) }
}
