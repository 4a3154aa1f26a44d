/**
 * What is wrong with a request, a download, an archive or a disk, in English. Failures carry the code and its facts; answers
 * and the command line use these sentences, the window has its own in each language.
 */
export const causeSentences = {
  // The request
  body_too_early: 'it expects an answer before it is sent',
  not_http: 'it is not HTTP',
  not_utf8: 'it is not UTF-8',
  not_json: 'it is not JSON, {{why}}',
  not_json_object: 'it is not a JSON object',
  member_missing: '{{name}} is missing or not a string',
  member_too_long: '{{name}} is too long',
  no_host: 'it names no host',
  two_hosts: 'it names more than one host',

  // JSON
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

  // The download
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

  // What is too large
  size: 'its size',
  entry_count: 'the number of its files',
  directory_size: 'its directory',
  unpacked_size: 'what it unpacks to',
  file_size: 'the file {{name}}',
  page_memory: 'the memory that its page takes',

  // The archive as a whole
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

  // A file of the archive
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

  // Disk, index and publishing
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
  disk_error_restart: 'the disk reported an error; start Galley again when it is mended',
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
  no_bucket_keys: 'there are no keys for the bucket. Enter them in the settings of the site',
  bucket_keys_locked: 'the keychain is locked, so the keys of the bucket cannot be read. Unlock it',
  bucket_keys_unavailable: 'there is no keychain to read the keys of the bucket from. Start one',
  bucket_keys_changed:
    'the keychain no longer holds the keys of the bucket. Enter them again in the settings of the site',
  bucket_unreached: 'the bucket cannot be reached. Check its endpoint and the network',
  bucket_private:
    'the host name of the S3 endpoint leads to a private network. Correct the endpoint, or name the address itself',
  bucket_certificate: 'the certificate of the S3 endpoint is not valid',
  bucket_cut: 'the connection to the bucket was cut again and again. Check the network',
  bucket_slow: 'the upload to the bucket took longer than {{name}} s. Check the network',
  bucket_stalled: 'the bucket stopped taking data. Check the network and the storage',
  bucket_key_unknown: 'the storage does not know the access key. Enter the keys of the bucket again',
  bucket_key_wrong: 'the secret key of the bucket is wrong. Enter the keys of the bucket again',
  bucket_key_expired: 'the keys of the bucket have expired. Enter new ones',
  bucket_denied: 'the bucket refuses these keys. Check them, and allow them to read, write and delete objects there',
  bucket_missing:
    'there is no bucket {{name}} at this endpoint. Create it, or correct its name, the endpoint or the region',
  bucket_region: 'the bucket is in the region {{name}}. Set this region',
  bucket_elsewhere: 'the bucket is in another region or at another endpoint. Correct both',
  bucket_clock: 'the clock of this computer is off, so the storage refuses its signatures. Set it by the network',
  bucket_full: 'the storage has no room left for the bucket. Make room there',
  bucket_busy: 'the storage is out of order or too busy (status {{name}}). Try again later',
  bucket_not_s3: 'what answers at the endpoint is no S3 storage (status {{name}}). Correct the endpoint',
  public_forbidden:
    'the files are in the bucket, but the public URL refuses to show them (status {{name}}). Allow everybody to read them',
  public_missing:
    'the files are in the bucket, but the public URL does not show them (status {{name}}). Point it to the bucket and prefix',
  public_page:
    'the files are in the bucket, but the public URL shows a web page instead. Point it to the bucket and prefix',
  public_redirect:
    'the public URL leads on to another address (status {{name}}). Enter the address at which files are shown',
  public_failed: 'the server at the public URL is out of order (status {{name}}). Try again later',
  public_unreached: 'nothing answers at the public URL. Correct it, or mend the server there',
  public_certificate: 'the certificate at the public URL is not valid',
  public_private:
    'the host name of the public URL leads to a private network. Correct it, or switch the check of the public URL off',
  bucket_refused: 'the bucket refused a file (status {{name}})',

  at_character: '{{why}} (at character {{name}})',
} as const

export type CauseCode = keyof typeof causeSentences

/** The technical cause of a failure. `name`: a file, a number or a limit; `why`: the cause behind it, or a number. */
export interface Cause {
  readonly code: CauseCode
  readonly name?: string | number
  readonly why?: Cause | string | number
}

export const cause = (code: CauseCode, facts: Omit<Cause, 'code'> = {}): Cause => ({ code, ...facts })

/** The English sentence of a cause, without a full stop. */
export const causeSentence = ({ code, name = '', why = '' }: Cause): string =>
  // By a function: a name may hold what `replace` would take as a pattern.
  causeSentences[code].replace(/\{\{(name|why)\}\}/g, (_, fact: string) =>
    fact === 'name' ? String(name) : typeof why === 'object' ? causeSentence(why) : String(why),
  )

/** An error whose cause is known, such as a publishing target that refused; its message names no key. */
export class CausedError extends Error {
  readonly reason: Cause

  constructor(reason: Cause) {
    super(causeSentence(reason))
    this.reason = reason
  }
}
