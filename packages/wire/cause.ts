/**
 * What is wrong with a request, a download, an archive or a disk, in English. Failures carry a code and facts. Responses
 * and the command line use these sentences; the window has its own in each language.
 */
export const causeSentences = {
  // The request
  body_too_early: 'it expects a response before its body is sent',
  tiny_chunks: 'it comes in hundreds of tiny chunks',
  not_http: 'it is not HTTP',
  not_utf8: 'it is not UTF-8',
  not_json: 'it is not JSON, {{why}}',
  not_json_object: 'it is not a JSON object',
  member_missing: '{{name}} is missing or not a string',
  member_too_long: '{{name}} is too long',
  member_not_unicode: '{{name}} contains half of a surrogate pair, which is not Unicode',
  no_host: 'it does not name a host',
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
  control_character: 'a string contains a control character',
  unknown_escape: 'a string contains an unknown escape',
  string_open: 'a string is not closed',
  not_object: 'it is not an object',
  assets_not_object: 'its assets are not an object',

  // The download
  service_status: 'the service returned status {{name}}',
  wrong_encoding: 'the service sent it in an encoding that Galley did not ask for',
  too_late: 'it did not arrive within {{name}} s',
  service_refuses: 'the service refuses connections',
  connection_cut: 'the connection was cut',
  service_not_found: 'the service cannot be found',
  service_not_found_now: 'the service cannot be found right now',
  service_silent: 'the service does not respond',
  service_unreached: 'the service cannot be reached over the network',
  private_network: 'the host name of the service resolves to a private network',
  service_stopped: 'the service stopped sending',
  stopped: 'it was stopped',
  other_length: 'the service sent a different length than it declared',
  service_unreadable: 'the service sent something unreadable',
  certificate: 'the certificate of the service is not trusted, because {{why}}',

  // Any other host
  host_refuses: 'nothing responds at its address',
  host_unknown: 'its host name is unknown',
  host_unknown_now: 'its host name cannot be looked up right now',
  host_silent: 'it does not respond',
  host_late: 'it did not respond in time',
  host_unreached: 'it cannot be reached over the network',
  host_private: 'its host name resolves to a private network',
  host_certificate: 'its certificate is not trusted, because {{why}}',
  host_unreadable: 'its response is not valid',
  host_redirect: 'it redirects to an invalid address',
  host_failed: 'the connection failed ({{name}})',

  // The receiver of a webhook
  webhook_status: 'it returned status {{name}}',
  webhook_redirect:
    'it redirects (status {{name}}), and webhooks follow no redirects. Enter the URL to which it redirects',
  webhook_gone:
    'it wants no more messages (status 410), so this computer sends none. Save the webhook again to turn it on',
  webhook_private:
    'its host name leads to the private address {{name}}, which nobody has confirmed on this computer. Confirm it if the receiver is there',
  webhook_secret_missing: 'the secret that signs messages to it is not on this computer, or is not valid. Enter it',
  webhook_secret_locked: 'the keychain is locked, so messages to it cannot be signed. Unlock it',
  webhook_secret_unavailable: 'there is no keychain to read the secret from that signs messages to it. Start one',
  webhook_off: 'the webhook was turned off',

  // A certificate
  certificate_issuer:
    'this computer does not know its issuer. Add the certificate of the issuer to those of the system, or name its file in GALLEY_CA_CERTS',
  certificate_expired: 'it has expired',
  certificate_early: 'it is not valid yet. Check the clock of this computer',
  certificate_host: 'it is for another host name',
  certificate_unusable: 'it is not valid ({{name}})',

  // The authorities that this computer trusts, and a proxy
  authorities_unreadable:
    'the file that {{name}} names cannot be read, or has no certificates. Correct the file or the variable, or remove the variable',
  proxy_credentials:
    'the proxy asks for credentials. Add them to its URL in HTTP_PROXY or HTTPS_PROXY, as in http://user:password@host:port',
  proxy_refused: 'the proxy did not connect to it (status {{name}})',
  proxy_unreached: 'the proxy cannot be reached. Check the proxy settings and the network',
  proxy_unusable: 'the proxy settings do not name an HTTP proxy, the only kind that Galley can use. Correct them',
  proxy_private:
    'a private address is not requested through a proxy. Add it to NO_PROXY or to the exceptions in the proxy settings of the system',

  // A request for a session, and the answer
  answer_too_long: 'it is far too long',
  answer_without_url: 'it has no editor url',
  metadata_lost:
    '{{name}} was sent earlier and is not stored. Send it again with --metadata, or set up callback credentials for the site',

  // What is too large
  size: 'its size',
  entry_count: 'the number of files in it',
  directory_size: 'its central directory',
  unpacked_size: 'its unpacked size',
  file_size: 'the file {{name}}',
  page_memory: 'the memory that its page needs',

  // The archive as a whole
  not_zip: 'it is not a complete ZIP file',
  end_damaged: 'its end is damaged, or something follows it',
  many_ends: 'it has more than one end',
  zip64_locator: 'its Zip64 locator points elsewhere',
  zip64_end: 'its Zip64 end record is damaged',
  ends_disagree: 'its two end records contradict each other',
  part_of_several: 'it is one part of a multi-part archive',
  directory_elsewhere: 'its central directory is not where its end record says',
  directory_longer: 'its central directory lists too many files',
  directory_damaged: 'its central directory is damaged',
  bytes_of_nobody: 'it contains data that belongs to no file',
  files_overlap: 'its files overlap',
  lacks: 'it has no {{name}}',
  two_alike: 'two files are named {{name}}',
  font_named_css: 'a font file has the name of the CSS file, {{name}}',

  // A file of the archive
  name_too_long: 'the name of a file is longer than {{name}} bytes',
  name_not_utf8: 'the name of a file is not UTF-8, although it is declared as UTF-8',
  name_unsafe: 'the name {{name}} is not safe: {{why}}',
  name_empty: 'it is empty',
  name_controls: 'it contains control characters',
  name_backslash: 'it contains a backslash',
  name_absolute: 'it is an absolute path',
  name_leaves: 'it points outside its folder',
  name_dot: 'a part of it is a single dot',
  name_empty_folder: 'it contains an empty folder name',
  extra_damaged: 'the extra fields of {{name}} are damaged',
  encrypted: '{{name}} is encrypted',
  patch: '{{name}} is a patch',
  method: '{{name}} is compressed with method {{why}}; only deflate is supported',
  two_sizes: '{{name}} has two different sizes',
  device: '{{name}} is a link or a device',
  link: '{{name}} is a link',
  folder_and_file: '{{name}} is both a folder and a file',
  other_disk: '{{name}} is on another disk',
  not_there: 'there is no file where {{name}} should be',
  two_descriptions: '{{name}} is described in two different ways',
  unknown_follows: 'unknown data follows {{name}}',
  damaged: '{{name}} is damaged: {{why}}',
  bad_data: 'its compressed data is corrupt',
  bad_length: 'it is not as long as declared',
  bad_checksum: 'its checksum does not match',
  unreadable: '{{name}} cannot be read: {{why}}',

  // Disk, index and publishing
  disk_full: 'the disk is full',
  disk_without_inodes: 'the disk has space left, but no inodes for more files',
  no_room: 'there is not enough space on the disk',
  quota_used: 'the disk quota is used up',
  disk_read_only: 'the disk is read-only',
  library_read_only: 'the library is read-only',
  not_writable: 'a file or folder cannot be written',
  file_missing: 'a file or folder is missing',
  file_altered: 'a stored file was altered on the disk; run galley fsck --repair to look for an intact copy',
  file_in_the_way: 'a file is in the way',
  disk_name_too_long: 'the name of a file is too long for this disk',
  many_files_open: 'too many files are open',
  folder_elsewhere: 'a folder in the library is on another disk. Move the whole library to one disk',
  disk_error: 'the disk reported an error',
  sync_failed: 'the disk did not confirm an entry of the log, because {{why}}. Fix the disk, then restart Galley',
  addon_unusable:
    'a module of Galley cannot be loaded on this system. Run npm ci in the folder of Galley, on this computer',
  index_not_opened: 'the library index cannot be opened',
  index_not_ours: 'the library index was not created by Galley',
  index_damaged: 'the library index is damaged',
  index_rebuilding: 'the library index is damaged; no save is lost. Galley is rebuilding it from the log',
  secret_missing: 'no secret is stored for the site {{name}}. Enter it in the settings of the site',
  secret_locked: 'the keychain is locked, so the secret of the site {{name}} cannot be read. Unlock it',
  secret_unavailable: 'there is no keychain to read the secret of the site {{name}} from. Start one',
  secret_changed:
    'the keychain no longer has the secret of the site {{name}}. Enter it again in the settings of the site',
  credentials_missing: 'there are no callback credentials for the site {{name}}. Save the settings of the site again',
  site_unconfirmed: 'the addresses of the site {{name}} are not confirmed on this computer. Confirm the site in Galley',
  index_held: 'another program is using the library index',
  files_held: 'another process is using the files of the library',
  no_locks:
    'its file system cannot lock files, as some network shares cannot. A library needs a folder on a local disk',
  no_shared_memory:
    'its file system cannot share memory between programs, as most network shares cannot. A library needs a folder on a local disk',
  file_unusable: 'a file cannot be used ({{name}})',
  file_unusable_unknown: 'a file cannot be used; the system does not say why',
  unexpected: 'an unexpected error',
  unpacking_stopped: 'unpacking the archive stopped unexpectedly',
  closing: 'Galley is closing',
  not_redacted: 'credentials could not be removed from the archive',
  no_bucket_keys: 'there are no bucket keys. Enter them in the settings of the site',
  bucket_keys_locked: 'the keychain is locked, so the bucket keys cannot be read. Unlock it',
  bucket_keys_unavailable: 'there is no keychain to read the bucket keys from. Start one',
  bucket_keys_changed: 'the keychain no longer has the bucket keys. Enter them again in the settings of the site',
  bucket_unreached: 'the bucket cannot be reached. Check its endpoint and the network',
  bucket_private:
    'the host name of the S3 endpoint resolves to a private network. Correct the endpoint, or use its IP address',
  bucket_certificate: 'the certificate of the S3 endpoint is not trusted, because {{why}}',
  bucket_cut: 'the connection to the bucket kept breaking. Check the network',
  bucket_slow: 'the upload to the bucket took longer than {{name}} s. Check the network',
  bucket_stalled: 'data stopped moving to or from the bucket. Check the network and the storage',
  bucket_key_unknown: 'the storage does not know the access key. Enter the bucket keys again',
  bucket_key_wrong: 'the secret access key is wrong. Enter the bucket keys again',
  bucket_key_expired: 'the bucket keys have expired. Enter new ones',
  bucket_denied:
    'the bucket denies access with these keys. Check them, and allow them to read, write and delete objects in it',
  bucket_missing: 'there is no bucket {{name}} at this endpoint. Create it, or correct its name, endpoint or region',
  bucket_region: 'the bucket is in the region {{name}}. Use that region',
  bucket_elsewhere: 'the bucket is in another region or at another endpoint. Correct both',
  bucket_clock: 'the clock of this computer is wrong, so the storage rejects its signatures. Turn on automatic time',
  bucket_full: 'the storage has no space left for the bucket. Free up space there',
  bucket_busy: 'the storage is failing or overloaded (status {{name}}). Try again later',
  bucket_not_s3: 'the endpoint is not an S3 storage (status {{name}}). Correct the endpoint',
  public_forbidden:
    'the files are published, but the public URL denies access to them (status {{name}}). Allow public read access, or correct the URL: a bucket also denies access to files that it does not have',
  public_missing:
    'the files are published, but not at the public URL (status {{name}}). Point it to the place where they are published',
  public_page:
    'the files are published, but the public URL returns a web page instead. Point it to the place where they are published',
  public_different:
    'the files are published, but the public URL returns something else. Point it to the place where they are published',
  public_redirect:
    'the public URL redirects to another URL (status {{name}}). Enter the URL that serves the files directly',
  public_index:
    'the server does not show the index.html of a folder at the address of the folder ({{name}}), which the links of the site use. Turn on index documents there',
  public_no_404:
    'the server answers addresses that the site does not have with status {{name}} instead of 404, so search engines list them. Let it answer with status 404 and the 404.html of the site',
  public_error_page:
    'the server does not show the 404.html of the site at addresses that the site does not have (status {{name}}). Set it as the error page',
  base_url_elsewhere:
    'the base URL of the site is on another host than this target: pages, feeds and the sitemap here name {{name}} instead',
  public_failed: 'the server at the public URL is failing (status {{name}}). Try again later',
  public_unreached: 'the public URL does not respond. Correct it, or fix the server',
  public_certificate: 'the certificate at the public URL is not trusted, because {{why}}',
  public_private:
    'the host name of the public URL resolves to a private network. Correct it, or turn off the public URL check',
  destination_not_folder: 'it is not a folder',
  destination_not_file: 'it is not a plain file',
  destination_in_library: 'it is in a Galley library',
  destination_not_empty: 'it is not empty and does not contain a Galley export',
  destination_other_file: 'no export wrote it',
  destination_exists: 'a file with this name exists',
  newer_galley: 'a newer Galley wrote its {{name}}. Update Galley on this computer',
  destination_file: 'it has a {{name}} that Galley did not write',
  target_busy: 'another computer is publishing to this target. Try again when it has finished',
  target_foreign: 'the target contains {{name}}, which Galley did not put there',
  target_other_site: 'another site is published there, or this site from another library',
  target_other_copy: 'another copy of this library has published there since, and this one does not know that release',
  no_target_key: 'the target has no credentials. Enter them',
  target_key_locked: 'the keychain is locked, so the credentials of the target cannot be read. Unlock it',
  target_key_unavailable: 'there is no keychain to read the credentials of the target from. Start one',
  target_key_changed: 'the keychain no longer has the credentials of the target. Enter them again',
  target_key_file: 'the private key cannot be read, or its passphrase is wrong. Check the file',
  sftp_unreached: 'the SFTP server cannot be reached. Check the host, the port and the network',
  sftp_cut: 'the connection to the SFTP server broke. Check the network, then publish again',
  sftp_stalled: 'the SFTP server stopped responding. Check the network and the server, then publish again',
  sftp_login: 'the SFTP server refused the login. Check the user and the credentials',
  sftp_more:
    'the SFTP server asks for more than one credential, such as a password and a one-time code, and Galley sends one. Use a key or a user for which one is enough',
  sftp_methods: 'the SFTP server does not accept this kind of credentials. It accepts: {{name}}',
  sftp_not_offered: 'the server accepted the login, but offers no SFTP to this user',
  sftp_host_key:
    'the host key of the SFTP server has changed ({{name}}). Ask its administrator. If the server was replaced, remove all targets on it and add them again',
  sftp_denied: 'the SFTP server denies access. Check the permissions of the user for the folder and what is in it',
  sftp_failed: 'the SFTP server reported a failure without a cause. Its log, or its provider, may know more',
  sftp_unsupported: 'the SFTP server lacks an operation that Galley needs ({{name}})',
  sftp_gaps:
    'the SFTP server cannot replace a file in one step, so readers may miss a page for a moment while it is published',
  sftp_missing: 'the folder is not on the SFTP server. Create it, or correct the path',
  sftp_refused: 'the SFTP server refused (status {{name}})',
  bucket_refused: 'the bucket rejected a file (status {{name}})',
  bucket_unsuitable:
    'the bucket cannot hold a team library: it accepted {{why}} of {{name}} requests to create the same object, and must accept exactly one. Use a storage with conditional writes, and a bucket without versioning',
  bucket_away: 'the bucket of the team does not respond. Check the endpoint, the network and the storage',
  entry_unknown:
    'the bucket of the team did not confirm this change. Check whether it was made before you repeat it. A save can be sent again; it is stored only once',
  log_newer: 'a newer Galley wrote {{name}} in the bucket of the team. Update Galley on this computer',
  log_foreign:
    'Galley did not write {{name}} in the bucket of the team, where entry {{why}} of the log belongs. If a computer of the team is at position {{why}} or higher (galley team status), run galley fsck --repair there; otherwise delete that object',
  log_damaged:
    'the object {{name}} in the bucket of the team, entry {{why}} of the log, is damaged. Run galley fsck --repair on a computer that is at position {{why}} or higher (galley team status). If there is none, delete that object: no computer has what was in it',
  log_unlinked:
    'the log in the bucket is not the log of this library from {{name}} on. If that object was replaced, restore it; otherwise join the team in a new folder',
  log_lost:
    'the bucket of the team has lost entries of the log, such as {{name}}: objects were deleted, or an older copy of the bucket was restored. Restore them from a backup of the bucket, or run galley fsck --repair on the computer with the most saves',
  log_folded:
    'the bucket no longer has the entries that this library needs next, and no checkpoint could be used yet. Try again; if that does not help, run galley gc on a computer that is up to date',
  team_file_missing:
    'the bucket of the team has lost the file {{name}}. Run galley fsck --repair on a computer that has it',
  team_file_changed:
    'the file {{name}} is damaged in the bucket of the team. Run galley fsck --repair on a computer that has it',
  team_keys_missing: 'there are no keys for the bucket of the team. Enter them again, or set them in the environment',
  team_keys_locked: 'the keychain is locked, so the keys for the bucket of the team cannot be read. Unlock it',
  team_keys_unavailable: 'there is no keychain to read the keys for the bucket of the team from. Start one',
  team_joined: 'this library has joined a team while it was open. Restart Galley',
  team_importing: 'the library is being imported into a team library. Try again in a minute',
  team_unsupported: 'this is not possible in a team library',

  // A newer version of Galley
  update_unreached: 'the update server cannot be used, because {{why}}',
  update_status: 'the update server returned status {{name}}',
  update_unreadable: 'what the update server sent does not describe a release',
  update_unsigned: 'the release on the update server has no signature',
  update_signature: 'the release on the update server is not signed by the key of this Galley, or was changed',
  update_older: 'the update server offers version {{name}}, which is older',
  update_stale: 'the update server sent an outdated release, of {{name}}',
  update_no_file: 'version {{name}} has no file for this system',
  update_cut: 'the download was cut off',
  update_bytes: 'the downloaded file is not the one that was signed',

  // The log
  value_out_of_range: '{{name}} is too long, or not a value that the library stores',
  entry_too_large: 'it is more than one entry of the log can hold, which is {{name}} MB. Do it in smaller parts',

  // A theme
  theme_empty: 'contains neither theme.json nor templates (*.html), style.css or assets/',
  theme_missing: 'there is no such file',
  theme_lacks: 'there is no {{name}}',
  theme_output: '{{name}} is missing',
  theme_entries: 'is not a theme folder: it contains more than {{name}} files and folders',
  theme_files: 'a theme can have at most {{name}} files',
  theme_template_size: 'is larger than {{name}} MB',
  theme_assets_size: 'the files in assets/ are larger than {{name}} MB in total',
  theme_unreadable: 'cannot be read ({{name}})',
  theme_circle: '{{name}} refers back to this file',
  theme_endless: 'this includes itself, directly or through other files',
  theme_not_json: 'is not valid JSON',
  theme_member: '{{name}}: {{why}}',
  theme_setting: 'the setting {{name}} {{why}}',
  theme_unknown: 'is not known',
  theme_invalid: 'is not valid',
  theme_type: 'must be of the type {{name}}',
  theme_twice: 'is used twice',
  theme_key: 'must be lower-case letters, digits and _',
  theme_name: 'must be lower-case letters, digits and hyphens',
  theme_english: 'needs "en"',
  theme_text: 'must be a text of at most {{name}} characters',
  theme_color: 'must be a colour such as {{name}}',
  theme_switch: 'must be on or off',
  theme_number: 'must be a number from {{name}} to {{why}}',
  theme_choice: 'must be one of {{name}}',
  /** The message of the template engine, which has only English ones. */
  theme_engine: '{{name}}',
  theme_slow: 'its pages take too long: together they may take {{why}} s, which were over at {{name}}',

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

export const isCauseCode = (text: string): text is CauseCode => Object.hasOwn(causeSentences, text)

/** Whether the bucket of a team is the cause, or the log in it. */
export const isOfBucket = ({ code }: Cause): boolean => /^(?:bucket|log|team|entry)_/.test(code)

/** The English sentence of a cause, without a full stop. */
export const causeSentence = ({ code, name = '', why = '' }: Cause): string =>
  // A function, because `replace` would interpret patterns in a name.
  causeSentences[code].replace(/\{\{(name|why)\}\}/g, (_, fact: string) =>
    fact === 'name' ? String(name) : typeof why === 'object' ? causeSentence(why) : String(why),
  )

/** An error whose cause is known, such as a publishing target that refused. Its message contains no key. */
export class CausedError extends Error {
  readonly reason: Cause

  constructor(reason: Cause) {
    super(causeSentence(reason))
    this.reason = reason
  }
}
