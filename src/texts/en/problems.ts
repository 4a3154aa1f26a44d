/**
 * What a call could not do, by the code of its problem and the facts that come with it: what happened, what it means
 * for the data, what to do. A second part of a key, as `_locked`, words one case of the code.
 */
export const problems = {
  // Opening a session
  unknown_site: 'This site is not in the library any more. Nothing was changed. Choose another site.',
  site_unconfirmed:
    'The addresses of this site are not confirmed on this computer. Nothing was sent. Confirm the site in the settings, then try again.',
  invalid_material:
    'This material ID contains a download address of the service, so opening it could sign a download. Nothing was sent. Use another ID.',
  invalid_metadata:
    'The metadata cannot be sent: it has to be one JSON object. Nothing was opened. Correct it, then open again.',
  secrets_unavailable: 'The secret of this site cannot be read. Nothing was sent. Check the keychain, then try again.',
  secrets_unavailable_missing:
    'No secret is stored for this site. Nothing was sent. Enter it in the settings of the site.',
  secrets_unavailable_locked: 'The keychain is locked. Nothing was sent. Unlock it, then try again.',
  secrets_unavailable_unavailable:
    'There is no keychain to read the secret from. Nothing was sent. Start one, then try again.',
  secrets_unavailable_changed:
    'The keychain no longer holds the secret that was stored there. Nothing was sent. Enter the secret again in the settings of the site.',
  host_not_allowed:
    'The service does not allow the host of the callback URL for this key. Nothing was opened. Allow the host at the service, or correct the callback URL of the site.',
  wrong_key:
    'The service does not accept the API key or its secret. Nothing was opened. Check both in the settings of the site.',
  service_refused:
    'The service refused to open the session: {{text}}. Nothing was opened. Correct what it names, then open again.',
  service_failed:
    'The service answered with {{status}}: it, or a proxy before it, is out of order. Nothing was opened; everything in the library stays at hand. Try again later.',
  unexplained_refusal:
    'The service answered with {{status}} and gave no reason. Nothing was opened; everything in the library stays at hand. Check service URL, API key and secret in the settings of the site.',
  service_timeout:
    'The service did not answer within {{seconds}} s. No editor was opened; the service may have made the session all the same. Try again: opening it twice does no harm.',
  service_unreachable:
    'The service cannot be reached. Nothing was opened; everything in the library stays at hand. Check the network and the service URL of the site.',
  service_unreachable_cut:
    'The connection to the service was cut before its answer. No editor was opened; the service may have made the session all the same. Try again: opening it twice does no harm.',
  service_unreachable_private:
    'The host name of the service URL resolves to a private network, so Galley didn’t connect. Nothing was sent or opened. Correct the service URL, or set the site’s environment to development if the service runs in your network.',
  invalid_service_answer:
    'What answered is not the service: it sent no session. Nothing was opened. Check the service URL of the site.',

  // Sites
  invalid_site: 'This value does not fit. Nothing was saved. Correct it, then save again.',
  invalid_site_id:
    'The ID has to be 1 to 63 letters, digits, dots, underscores or hyphens, and begin with a letter or digit.',
  invalid_site_name: 'Enter a name of at most 200 characters.',
  invalid_site_baseUrl: 'This has to be an http or https address without user name, query and fragment.',
  invalid_site_callbackUrl: 'This has to be an http or https address without user name, query and fragment.',
  invalid_site_plain_http:
    'This address isn’t encrypted: the API key, signatures, callback credentials and saved pages can be read or changed on the way. Use https, or allow http below.',
  invalid_site_publicUrl: 'This has to be an http or https address without user name, query and fragment.',
  invalid_site_apiKey: 'Enter the API key; it has at most 500 characters.',
  invalid_site_allowedDomains: 'An allowed domain is a host name without scheme and port. Correct the list.',
  invalid_site_downloadOrigins:
    'A download address is scheme, host and perhaps port, as https://files.example. Correct the list.',
  invalid_site_signatureHeader:
    'A header name has letters, digits and hyphens alone, and may not be one with a meaning of its own, as Authorization.',
  invalid_site_publish:
    'Files go to the listener, to a folder, or to a bucket of S3 with a plain prefix. Correct this.',
  invalid_site_maxContentBytes: 'The size has to be a whole number of at most 4096 MB.',
  invalid_site_requestTimeoutMs: 'The time has to be a whole number of at most an hour.',
  invalid_site_downloadTimeoutMs: 'The time has to be a whole number of at most an hour.',
  secrets_unavailable_secret_locked:
    'The site is saved, but the keychain is locked, so its secret is not. Unlock it, then enter the secret again.',
  secrets_unavailable_secret_unavailable:
    'The site is saved, but there is no keychain to put its secret into. Start one, then enter it again.',
  secrets_unavailable_credentials_locked:
    'The site is saved, but the keychain is locked, so its callback credentials could not be changed. Unlock it, then save the site again.',
  secrets_unavailable_credentials_unavailable:
    'The site is saved, but there is no keychain, so its callback credentials could not be changed. Start one, then save the site again.',
  invalid_site_s3Endpoint: 'This has to be an http or https address without user name, query and fragment.',
  invalid_site_s3Region: 'A region is a name such as eu-central-1.',
  secrets_unavailable_bucket_keys_locked:
    'The site is saved, but the keychain is locked, so the bucket keys could not be changed. Unlock it, then enter them again.',
  secrets_unavailable_bucket_keys_unavailable:
    'The site is saved, but there is no keychain to put the bucket keys into. Start one, then enter them again.',
  secrets_unavailable_removal_locked:
    'The site was not removed, since the keychain is locked and keeps its secret. Unlock it, then remove the site again.',
  secrets_unavailable_removal_unavailable:
    'The site was not removed, since there is no keychain to take its secret out of. Start it, then remove the site again.',
  secrets_read_only:
    'Secrets come from outside on this machine, so Galley cannot keep one. Nothing was saved. Set it where the others are set.',

  // Things that are gone
  unknown_material: 'This material is not in the library any more. Nothing was changed. Choose another one.',
  unknown_version: 'This version is not in the library any more. Nothing was changed. Choose another one.',
  unknown_snapshot: 'This font set is not in the library any more. Nothing was changed. Choose another one.',
  unknown_callback: 'This callback is not in the log any more. Nothing was changed. Choose another one.',
  unknown_export: 'This export is not in the history any more. Nothing was changed. Choose another one.',
  unknown_task: 'This task has ended and was taken off the list.',

  // What was typed
  invalid_tag: 'This tag cannot be used. Nothing was changed. Choose a shorter one without control characters.',
  invalid_name: 'This name cannot be used. Nothing was changed. Choose another one.',
  invalid_pattern: 'This pattern cannot be read. Nothing was changed. Correct it, then save again.',

  // Files and folders
  path_not_chosen: 'This place was not chosen in Galley, so nothing was written. Choose it again.',
  not_confirmed: 'This was not confirmed, so nothing was changed.',
  not_a_sites_file: 'This file holds no exported sites. Nothing was changed. Choose another one.',
  not_a_backup: 'This file is no backup of a library. Nothing was changed. Choose another one.',
  damaged_backup: 'This backup is damaged. Nothing was restored; the open library is unchanged. Choose another one.',
  newer_library:
    'This backup was written by a newer Galley. Nothing was restored; the open library is unchanged. Update Galley, then restore it.',
  migration_failed:
    'This backup is of an older Galley and could not be brought up to date. Nothing was restored; the backup and the open library are unchanged. Make room on the disk and try again, or restore it with the Galley that wrote it.',
  folder_not_empty: 'This folder is not empty. Nothing was written. Choose an empty one or make a new one.',
  folder_unusable:
    'Nothing can be written in the chosen folder. Nothing was changed. Choose another one, or change its rights first.',
  library_folder_gone:
    'The library folder {{path}} is not where it was: it was moved, or its disk is not connected. Saves cannot be stored until it is back. Bring it back, or choose another library in the settings.',
  file_failed:
    'The file could not be read or written. The library is unchanged. Check the disk and the rights, then try again.',
  care_failed:
    'It was not finished: {{reason}}. What was done before that stays done, and nothing is half done. Mend that, then try again.',

  // Exports
  target_gone:
    'There is nothing at {{path}} any more: it was moved, deleted, or its disk is not connected. The library has all of it; export again to write it anew.',
  not_ours:
    'The target holds something that no export made. Nothing was written. Choose a new or empty folder, or a new file name.',
  not_ours_backup:
    'There is a file of that name which is no backup of Galley. Nothing was written. Choose another name.',
  busy_exporting: 'Another export is writing to this target. Nothing was written. Export again when it has ended.',
  unreliable_target:
    'The target does not keep what is written to it: {{path}} was read back with other bytes. The pages there are as they were. Check the disk, then export to another place.',
  invalid_base_url:
    'The address of the site has to be an http or https address without a query. Nothing was written. Correct it, then export again.',
  invalid_theme: 'The theme cannot be used. Nothing was written. Choose another one.',
  unsafe_target:
    'In the target stands something that no export put there: {{path}}. Nothing was written. Move it away, then export again.',
  foreign_file:
    '{{path}} in the target was not written by an export and would be overwritten. Nothing was written. Move it away, then export again.',
  broken_links:
    'Some references lead to nothing. Nothing was written. Look at the plan, correct the pages, or export with a warning only.',
  damaged_blob:
    'The stored file {{name}} is missing or not what was saved, so the export stopped. What was exported there before is whole. Check the library on the Health screen, then export again.',
  io_failed:
    'The target cannot be read or written. What is there is whole. Check the disk and the rights, then export again.',

  // The app itself
  cannot_listen:
    'The listener cannot start at this address, so saves cannot arrive. Choose another port in the settings.',
  cannot_listen_elsewhere:
    'Another process receives the saves of this library, so the sample cannot. Nothing was changed. End that process, then try again.',
  cancelled: 'Cancelled. Nothing was changed.',
  cancelled_midway: 'Cancelled. What was done before that stays done, and nothing is half done.',
  try_it_failed:
    'The sample could not be started. Your own sites are unchanged; what it had added by then is in the site “Harbour Weekly (demo)”. Try again.',
  busy: 'Files of the library are in use, by a backup, a check or many saves. Some unused ones stay for now, which does no harm. Try again later.',
  busy_pruned:
    'The old versions are deleted, but their files are in use, by a backup, a check or many saves. They still take room, which does no harm. Look for unused files on the Health screen later.',
  log_damaged:
    'Entries of the library log are damaged or missing. Nothing was erased. Check the library on the Health screen, then erase again.',
  index_held:
    'Another process kept using the index, so traces of the address may remain. What was erased stays erased. Close other programs that use this library, then erase again.',
  library_read_only:
    'Nothing can be written in the library: its disk is full or read-only, or the folder belongs to somebody else. Nothing was changed. Free up space or change the rights, then start Galley again.',
  log_mismatch:
    'The index of this library does not belong to its log. Nothing was changed. Choose on the Health screen which of the two to keep.',
  served_elsewhere:
    'Another process receives saves for this library. Nothing was erased. Stop its listener, then erase again.',
  served_elsewhere_rebuild:
    'Another process receives saves for this library. Nothing was changed. Stop its listener, then try again.',
  archive_damaged:
    'A kept archive is damaged, so Galley cannot tell whether it names the person. What was erased stays erased. Check the library on the Health screen, then erase again.',
  pages_unreadable:
    'Stored pages cannot be read, so Galley cannot tell which files they need. No file was deleted. Check and repair the library on the Health screen, then try again.',
  unexpected:
    'Galley could not finish this. Versions that are stored stay as they are. Try again, and check the disk if that does not help.',
  unexpected_midway:
    'Galley could not finish this. What was done before that stays done, and nothing is half done. Try again, and check the disk if that does not help.',
} as const
