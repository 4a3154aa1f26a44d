/**
 * Failures in English, for window and command line: what happened, what it means for the data, what to do next. A suffix
 * such as `_locked` marks one case of a code, its `state`. Where the two differ, `[window|command line]` has both.
 */
export const failureSentences = {
  // Opening a session
  unknown_site:
    '[This site is no longer in the library. Choose another site.|There is no site {{site}}. Add it first.]',
  site_unconfirmed:
    'The addresses of [this site|{{site}}] are not confirmed on this computer. Nothing was sent. [Confirm the site in its settings, then try again.|Check them with galley site show {{site}}, then confirm them with galley site add {{site}}.]',
  invalid_material:
    'This material ID contains a download URL of the service, so the signature that opens its session would also authorise a download. Nothing was sent. Use another ID.',
  invalid_material_long:
    'This material ID is longer than 8,192 characters, so its saves couldn’t be accepted. Nothing was sent. Use a shorter ID.',
  invalid_material_surrogate:
    'This material ID contains half of a surrogate pair, so its saves couldn’t be accepted. Nothing was sent. Use another ID.',
  invalid_metadata: 'The metadata can’t be sent: {{problem}}. No session was opened. Correct it, then try again.',
  state_unreadable:
    'The stored editor state of this material is missing from the disk or was changed there. No session was opened. [Check and repair the library in Delivery|Run galley fsck --repair], then try again.',
  secrets_unavailable: 'The secret of this site can’t be read. Nothing was sent. Check the keychain, then try again.',
  secrets_unavailable_missing: 'No secret is stored for this site. Nothing was sent. Enter it in the site’s settings.',
  secrets_unavailable_locked: 'The keychain is locked. Nothing was sent. Unlock it, then try again.',
  secrets_unavailable_unavailable:
    'No keychain was found to read the secret from. Nothing was sent. Start one[, then try again|, or use --secrets env].',
  secrets_unavailable_changed:
    'The keychain no longer has the secret that Galley stored. Nothing was sent. Enter the secret again in the site’s settings.',
  secrets_unavailable_credentials_missing:
    'The callback credentials of this site are missing. Nothing was sent. [Save the site’s settings again, or set them in the environment of Galley.|With --secrets env, set GALLEY_CALLBACK_AUTH_<SITE> (user:password, or a bearer token); otherwise save the site again.]',
  host_not_allowed:
    'The service doesn’t allow the callback URL’s host for this API key[| ({{status}}: {{text}})]. No session was opened. Allow the host in the service, or correct the site’s callback URL.',
  wrong_key:
    'The service doesn’t accept the API key or its secret[| ({{status}}: {{text}})]. No session was opened. Check both in the site’s settings.',
  service_refused:
    'The service refused to open the session[: {{text}}| ({{status}}: {{text}})]. Correct this, then try again.',
  service_failed:
    'The service or a proxy in front of it returned {{status}}. The editor wasn’t opened, but the service may have created the session. Try again later: opening it twice is safe.',
  unexplained_refusal:
    'The service returned {{status}} without a reason. No session was opened. Check the [service URL|base URL], API key and secret in the site’s settings.',
  service_timeout:
    'The service did not respond within {{seconds}} s. The editor wasn’t opened, but the service may have created the session. Try again: opening it twice is safe.',
  service_unreachable:
    'The service can’t be reached: {{reason}}. No session was opened. Check the network and the site’s [service URL|base URL].',
  service_unreachable_cut:
    'The connection to the service was cut before it responded. The editor wasn’t opened, but the service may have created the session. Try again: opening it twice is safe.',
  service_unreachable_unreadable:
    'The service’s response isn’t valid HTTP. The editor wasn’t opened, but the service may have created the session. Check the site’s [service URL|base URL], then try again: opening it twice is safe.',
  service_unreachable_private:
    'The host name of the [service URL|base URL] resolves to a private network, so Galley didn’t connect. Nothing was sent or opened. Correct the [service URL|base URL], or set the site’s environment to development if the service runs in your network.',
  invalid_service_answer:
    'The response contains no session: {{problem}}. No session was opened. Check the site’s [service URL|base URL].',

  // Sites
  invalid_site: 'Check this value. Nothing was saved.',
  invalid_site_id: 'Use 1 to 63 letters, digits, dots, underscores or hyphens, and start with a letter or digit.',
  invalid_site_name: 'Enter a name of at most 200 characters.',
  invalid_site_baseUrl: 'Enter an http or https URL without a user name, query or fragment.',
  invalid_site_callbackUrl: 'Enter an http or https URL without a user name, query or fragment.',
  invalid_site_plain_http:
    'This address isn’t encrypted: the API key, signatures, callback credentials and saved pages can be read or changed in transit. Use https, or allow http below.',
  invalid_site_unreachable:
    'The service is on the internet, but only this computer or its network can reach this address, so no save can arrive. Enter the address of a tunnel or a reverse proxy that leads to the listener.',
  invalid_site_publicUrl: 'Enter an http or https URL without a user name, query or fragment.',
  invalid_site_apiKey: 'Enter an API key of at most 500 characters.',
  invalid_site_allowedDomains: 'Enter host names without scheme or port.',
  invalid_site_downloadOrigins: 'Enter a scheme and host, with an optional port, for example https://files.example.',
  invalid_site_signatureHeader:
    'Use letters, digits and hyphens only. Reserved headers such as Authorization aren’t allowed.',
  invalid_site_publish: 'Choose the listener, a folder, or an S3 bucket with a plain prefix.',
  invalid_site_in_library: 'This folder is in a Galley library. Choose a folder outside it.',
  invalid_site_maxContentBytes: 'Enter a whole number of at most 4096 MB.',
  invalid_site_requestTimeoutMs: 'Enter a whole number of seconds, at most 3600.',
  invalid_site_downloadTimeoutMs: 'Enter a whole number of seconds, at most 3600.',
  secrets_unavailable_secret_locked:
    'The site was saved without its secret, because the keychain is locked. Unlock it, then enter the secret again.',
  secrets_unavailable_secret_unavailable:
    'The site was saved without its secret, because no keychain was found. Start one, then enter the secret again.',
  secrets_unavailable_credentials_locked:
    'The site was saved, but the keychain is locked, so its callback credentials couldn’t be changed. Unlock it, then save the site again.',
  secrets_unavailable_credentials_unavailable:
    'The site was saved, but no keychain was found, so its callback credentials couldn’t be changed. Start one, then save the site again.',
  invalid_site_s3Endpoint: 'Enter an http or https URL without a user name, query or fragment.',
  invalid_site_s3Region: 'Enter the name of a region, such as eu-central-1.',
  secrets_unavailable_bucket_keys_locked:
    'The site was saved, but the keychain is locked, so the bucket keys couldn’t be changed. Unlock it, then enter them again.',
  secrets_unavailable_bucket_keys_unavailable:
    'The site was saved, but no keychain was found to store the bucket keys. Start one, then enter them again.',
  secrets_unavailable_removal_locked:
    'The site was not removed, because the keychain is locked and its secret can’t be deleted. Unlock it, then remove the site again.',
  secrets_unavailable_removal_unavailable:
    'The site was not removed, because no keychain was found to delete its secret from. Start one, then remove the site again.',
  secrets_unavailable_webhook_locked:
    'The webhook was saved, but not turned on on this computer, because the keychain is locked. Unlock it, then save the webhook again.',
  secrets_unavailable_webhook_unavailable:
    'The webhook was saved, but not turned on on this computer, because no keychain was found for its secret. Start one, then save the webhook again.',
  invalid_webhook_url:
    'Enter an https URL without a user name, a password and a fragment. Plain http is allowed only for this computer. Nothing was saved.',
  invalid_webhook_secret: 'A secret is whsec_ and then 24 to 64 bytes in base64. Nothing was saved.',
  webhook_secret_needed:
    'The secret of this webhook was made on another computer of the team. Nothing was saved. [Enter it here|Give it on standard input, with --secret-stdin].',
  invalid_webhook_address: 'Enter an IP address. Nothing was saved.',
  unknown_delivery: 'This message is no longer in the list. Nothing was sent.',
  secrets_read_only:
    'Galley reads secrets from environment variables on this computer, so it can’t store one. Nothing was saved. Set it where the others are set.',

  // Things that are gone
  unknown_material:
    '[This material is no longer in the library. Choose another one.|There is no material {{materialId}}. Nothing was changed.]',
  unknown_version:
    '[This version is no longer in the library. Choose another one.|There is no version {{versionId}}. Nothing was changed.]',
  unknown_comment: 'This comment is no longer in the library. Nothing was changed.',
  name_missing:
    'Decisions and comments carry your name. Nothing was changed. Enter your name under Settings, Appearance, then try again.',
  unknown_author: 'No version of this page was saved with this e-mail address, so no mail was started.',
  quote_not_found: 'This place is not in the page. Nothing was saved. Select it again.',
  quote_ambiguous: 'This text is in the page more than once. Nothing was saved. Select more of it.',
  moved_on:
    '[This page has a newer version. Nothing was changed. Look at the newer one, or decide about this one anyway.|{{materialId}} has a newer version than {{versionId}}. Nothing was changed. Look at the newer one, or add --version-is-old to decide about this one.]',
  same_person:
    '[You saved this version. The rules of this site say that somebody else approves it, so nothing was changed.|Version {{versionId}} was saved by the person who approves it, which the rules of this site do not allow. Nothing was changed. Let somebody else approve it.]',
  unknown_snapshot: 'This font set is no longer in the library. Choose another one.',
  unknown_callback: '[This callback is no longer in the log. Choose another one.|There is no callback {{id}}.]',
  unknown_export: 'This export is no longer in the history. Choose another one.',
  unknown_task: 'This task has finished and is no longer listed.',

  // What was typed
  invalid_tag: 'This tag isn’t valid. Choose a shorter one without control characters.',
  invalid_tag_too_many: 'A page has at most {{most}} tags. Nothing was changed. Remove some, then try again.',
  invalid_name: 'This name isn’t valid. Choose another one.',
  address_taken:
    'The address {{path}} belongs to [“{{title}}”|{{materialId}} ({{title}})]. Nothing was changed. Choose another one.',
  invalid_address:
    '[This address|{{address}}] can’t be used. Nothing was changed. Use letters, digits and hyphens, with up to six parts separated by slashes.',
  invalid_address_own: '{{address}} is the page’s own address, so it can’t redirect there. Nothing was changed.',
  invalid_social_image:
    '[The page has no picture named “{{image}}”, and this isn’t a web address. Nothing was changed. Choose a picture from the page, or enter an address that starts with https://.|--social-image: {{image}} is neither a picture of the page nor an http or https URL without a user name. The pictures of the page: {{pictures}}. Nothing was changed.]',
  invalid_pattern: 'This pattern isn’t valid. Correct it, then save again.',

  // Files and folders
  path_not_chosen: 'This file or folder wasn’t chosen in Galley, so nothing was written. Choose it again.',
  not_confirmed: 'This was not confirmed, so nothing was changed.',
  not_a_sites_file: 'This file doesn’t contain exported sites. Choose another one.',
  not_a_backup: 'This file isn’t a Galley backup. Nothing was restored. Choose another one.',
  damaged_backup:
    'This backup is damaged[|: {{what}}]. Nothing was restored[; the open library is unchanged|]. Choose another one.',
  earlier_library:
    'The backup was written by a build of Galley before 0.1.0, which this version doesn’t read. Nothing was restored. Restore it with that build, and export its sites there.',
  newer_library:
    'This backup was written by a newer Galley. Nothing was restored[; the open library is unchanged|]. Update Galley, then try again.',
  folder_not_empty: 'This folder isn’t empty. Nothing was written. Choose an empty folder or create one.',
  folder_unusable: 'Galley can’t write to this folder. Choose another folder or change its permissions.',
  library_folder_gone:
    'The library folder {{path}} was moved, or its disk isn’t connected. Galley can’t store saves until it is available. Move it back, or choose another library in the settings.',
  chosen_file_failed:
    'The file could not be read or written. The library is unchanged. Check the disk and the file permissions, then try again.',
  file_failed: 'Galley couldn’t finish this: {{reason}}. Completed steps were kept. Fix the problem, then try again.',

  // Exports
  target_gone:
    '{{path}} no longer exists: it was moved or deleted, or its disk isn’t connected. The library still has everything. Export again to recreate it.',
  not_ours:
    'Nothing can be written to [the destination|{{target}}]: {{problem}}. Choose a new or empty folder, or a new file name.',
  not_ours_backup: 'A file with this name exists and isn’t a Galley backup. Nothing was written. Choose another name.',
  not_ours_in_library: 'This location is in a Galley library. Nothing was changed. Choose one outside it.',
  busy_exporting:
    'Another export is writing to this destination. Nothing was written. Export again when it has finished.',
  unreliable_target:
    'The destination doesn’t keep what is written to it: {{path}} was read back with different content. Your previous export is unchanged. Check the disk, then export to another destination.',
  invalid_base_url:
    '[The site address|{{baseUrl}}] must be an http or https URL without a query. Nothing was written. Correct it, then export again.',
  invalid_theme:
    'The theme has an error in {{file}}, line {{line}}: {{problem}}. Nothing was written. Correct the file, or choose another theme.',
  invalid_theme_file:
    'The theme has an error in {{file}}: {{problem}}. Nothing was written. Correct the file, or choose another theme.',
  unsafe_target:
    'The destination contains a file that Galley didn’t create: {{path}}. Nothing was written. Move it elsewhere, then export again.',
  foreign_file:
    'The export would overwrite {{path}}, a file that Galley didn’t create. Nothing was written. Move it elsewhere, then export again.',
  broken_links:
    'The export has broken links ({{count}}), the first one {{ref}} in {{page}}. Nothing was written. Fix the pages, or [choose Warn|export with --check warn].',
  damaged_blob:
    'The stored file {{name}}[| ({{sha256}})] is missing or damaged, so the export stopped. Your previous export stays intact. [Check the library in Delivery|Run galley fsck], then export again.',
  io_failed:
    'The destination can’t be read or written[| ({{errno}})]. Your previous export stays intact. Check the disk and the folder permissions, then export again.',
  damaged_blob_copying:
    'The stored file {{name}}[| ({{sha256}})] is missing or damaged. Nothing was written. [Check the library in Delivery|Run galley fsck], then try again.',
  io_failed_copying:
    'The file can’t be written[| ({{errno}})]. Nothing was left in its place. Check the disk and the folder permissions, then try again.',

  // Publishing
  unknown_target: 'This target was removed. Choose another one.',
  invalid_target: 'Check this value. Nothing was saved.',
  invalid_target_name: 'Use 1 to 40 lower-case letters, digits or hyphens, and start with a letter or digit.',
  invalid_target_taken: 'This site already has a target with this name. Choose another name.',
  invalid_target_folder: 'Choose a folder.',
  invalid_target_in_library: 'This folder is in a Galley library. Choose a folder outside it.',
  invalid_target_shared:
    'The target {{name}} of {{site}} publishes here. Choose another location: each would remove the other’s pages.',
  invalid_target_bucket: 'Enter the name of a bucket: letters, digits, dots, underscores and hyphens.',
  invalid_target_prefix: 'Enter a prefix without spaces and without a slash at the start or end.',
  invalid_target_endpoint: 'Enter an http or https URL without a query.',
  invalid_target_region: 'Enter the name of a region, such as eu-central-1.',
  invalid_target_user: 'Enter a user name without spaces, colons or slashes.',
  invalid_target_host: 'Enter a host name or an IP address.',
  invalid_target_port: 'Enter a port from 1 to 65535.',
  invalid_target_path: 'Enter a folder that starts with / or ~/.',
  invalid_target_publicUrl: 'Enter an http or https URL without a user name, query or fragment.',
  invalid_target_schedule: 'Enter a time such as 06:00.',
  invalid_target_keyId: 'Enter an access key ID without spaces or colons.',
  invalid_target_keySecret: 'Enter a secret key without spaces.',
  invalid_target_password: 'Enter a password on one line.',
  invalid_target_keyFile: 'Choose the file of a private key.',
  invalid_target_passphrase: 'Enter a passphrase on one line.',
  secrets_unavailable_target_locked:
    'The target was not saved, because the keychain is locked. Unlock it, then save again.',
  secrets_unavailable_target_unavailable:
    'The target was not saved, because no keychain was found for its credentials. Start one, then save again.',
  secrets_unavailable_target_removal_locked:
    'The target was not removed, because the keychain is locked and its credentials can’t be deleted. Unlock it, then remove the target again.',
  secrets_unavailable_target_removal_unavailable:
    'The target was not removed, because no keychain was found to delete its credentials from. Start one, then remove the target again.',
  target_unconfirmed:
    'The address of [this target|the target {{target}}] isn’t confirmed on this computer. Nothing was sent. [Edit the target, check its address and save it.|Run galley target add with its address to confirm it.]',
  target_foreign:
    'The site was not published: {{reason}}. Nothing was changed there. [Choose another location, or take this one over.|To replace what is there, publish with --take-over.]',
  no_live_target:
    'No target of this site is marked as the one that readers see, so nothing was published. Mark it in its settings, under Publish, Targets.',
  page_is_draft:
    'This page is a draft, so nothing was published. Change its state under Publish, Pages, then publish it.',
  page_is_scheduled:
    'This page is published later, so nothing was published now. Change its date under Publish, Pages, then publish it.',
  many_removals:
    'This would remove {{removed}} of the {{pages}} pages that readers see. Nothing was published. [Check the pages, or confirm the removal.|To remove them, publish with --allow-removals.]',
  target_failed: 'The site was not published: {{reason}}. Correct this, then publish again.',
  target_failed_unchanged:
    'The site was not published: {{reason}}. Readers see the previous release. Correct this, then publish again.',
  target_failed_put_back:
    'The site was not published: {{reason}}. The previous release was restored. Correct this, then publish again.',
  target_failed_mixed:
    'Publishing stopped halfway: {{reason}}. Readers may see some new pages. Publish again to finish, or roll back.',
  not_recorded: 'The release couldn’t be recorded in the library: {{reason}}. Fix this, then publish again.',
  not_recorded_unchanged:
    'The release couldn’t be recorded in the library: {{reason}}. Readers see the previous release. Fix this, then publish again.',
  not_recorded_put_back:
    'The release couldn’t be recorded in the library: {{reason}}. The previous release was restored on the target. Fix this, then publish again.',
  not_recorded_mixed:
    'The release couldn’t be recorded in the library: {{reason}}. Readers may see some new pages. Fix this, then publish again.',
  not_public:
    'A test file can’t be read through the public URL: {{reason}}. Nothing was published, and readers see the previous release. Check the public URL of the target.',
  not_verified: '{{path}} was read back with different content. Publish again.',
  not_verified_unchanged:
    'A test file was read back with different content. Nothing was published, and readers see the previous release. Check that the public URL points to this target.',
  not_verified_put_back:
    '{{path}} was read back with different content. The previous release was restored. Check the public URL and its cache, then publish again.',
  not_verified_mixed:
    '{{path}} was read back with different content, and readers may see some new pages. Publish again to finish, or roll back.',
  not_verified_unread_unchanged:
    '{{path}} could not be read back: {{reason}}. Readers see the previous release. Correct this, then publish again.',
  not_verified_unread_put_back:
    '{{path}} could not be read back: {{reason}}. The previous release was restored. Correct this, then publish again.',
  not_verified_unread_mixed:
    '{{path}} could not be read back: {{reason}}. Readers may see some new pages. Publish again to finish, or roll back.',
  unknown_release:
    '[This release is no longer in the history. Nothing was published. Choose another one.|There is no release {{release}} of this target. Nothing was published. galley releases lists them.]',
  release_not_kept:
    'Some files of [this release|release {{release}}] aren’t on this computer, so it can’t be published again from here. Readers still see the current release. Choose another one, or roll back on the computer that published it.',
  publish_stopped:
    'Publishing was stopped halfway. Readers may see some new pages. Publish again to finish, or roll back.',
  publish_stopped_unchanged: 'Publishing was stopped. Readers see the previous release.',
  publish_stopped_put_back: 'Publishing was stopped. The previous release was restored.',
  not_openable:
    'Galley opens https addresses only, and this one isn’t. Nothing was opened. Copy the address into your browser.',

  // Team libraries
  team_refused: 'This isn’t possible with this team library. Nothing was changed.',
  team_refused_already_member:
    'This library is already a member of a team library. Nothing was changed. [Leave it first.|Run galley team leave first.]',
  team_refused_not_a_member: 'This library isn’t a member of a team library.',
  team_refused_library_not_empty:
    '[The folder contains a library that isn’t|This library is not] empty. Nothing was changed. [Choose a new folder.|To share it with a team, run galley team import; to join a team, choose a new folder with --library.]',
  team_refused_bucket_in_use:
    'This prefix of the bucket already contains another library or other files. Your library hasn’t changed. Choose another prefix.',
  team_refused_no_team_library:
    'There is no team library at this place in the bucket. Nothing was changed. Check the bucket and the prefix[.|, or create one with galley team create. If members use this place, run galley fsck --repair on one of them.]',
  team_refused_earlier_library:
    'A build of Galley before 0.1.0 wrote this library, which this version doesn’t read. Nothing was changed. Export its sites with that build, and use another prefix or library folder.',
  team_refused_other_galley:
    'Another version of Galley wrote this team library. Nothing was changed. Update Galley on all computers.',
  team_refused_library_damaged:
    'The log of this library is damaged. Nothing was changed. [Check the library in Delivery, then try again.|Run galley fsck first.]',
  team_refused_files_missing:
    'Some files of this library are missing ({{count}}), so it was not shared. [Check and repair the library in Delivery, then try again.|Run galley fsck --repair first.]',
  team_refused_folder_target:
    'The site {{site}} publishes to a folder on this computer, which other computers don’t have. The library was not shared. Publish media to a bucket or through the listener, and remove targets that are folders.',
  team_refused_library_in_use:
    '[Another process or this window is using that library. Nothing was changed. Stop the other process, or choose another folder.|Another process listens for this library. Nothing was changed. Stop it first.]',
  team_refused_secrets_unavailable:
    'The keychain can’t store the bucket keys. Nothing was changed. Unlock or start it, [then try again|or use --secrets env].',
  team_refused_tasks_running:
    'Tasks are running and would be cancelled. Nothing was changed. Try again when they have ended.',
  team_refused_read_only: 'These keys can’t write to the bucket. Nothing was changed.',
  team_refused_changes_waiting:
    'Changes made on this computer are not in the bucket yet ({{count}}), so this library stays a member. Wait until they are there[, or decide those that need a decision.|. If some need a decision, galley team status lists them, and galley team decide settles them.]',
  team_refused_unknown_change:
    '[This change has already been decided. Nothing was changed.|There is no change {{id}} to decide. Run galley team status to list those that need a decision.]',
  team_refused_change_gone:
    'The team has deleted this material or version, so your change can’t be saved. [Discard your change.|Discard it with galley team decide {{id}} theirs.]',
  team_failed: 'The team’s bucket couldn’t be used: {{reason}}. Nothing was changed.',
  team_failed_join:
    'The team library could not be joined: {{reason}}. The open library is unchanged. Fix this, then join again.',
  team_failed_import:
    'The library was not shared: {{reason}}. It hasn’t changed on this computer. Fix this, then share it again to continue from there.',
  team_failed_leave:
    'Galley couldn’t leave the team library: {{reason}}. This library is still a member. Fix this, then try again.',
  team_failed_keys: 'The keys couldn’t be changed: {{reason}}. The old ones are still in use.',
  team_failed_write: 'This couldn’t be saved in the team library: {{reason}}. Nothing was changed.',
  team_failed_unknown:
    'The bucket didn’t confirm this change, so it may or may not be saved. Check before you make it again.',
  team_failed_task:
    'The team’s bucket couldn’t be used: {{reason}}. Completed steps were kept; the rest wasn’t done. When Delivery shows that the team library can be reached, run this again.',
  team_failed_task_unknown:
    'The team’s bucket didn’t confirm the last step. Completed steps were kept. Check what is missing, then run this again.',
  team_failed_task_read_only:
    'This computer’s keys can only read the team library, so this wasn’t done. Nothing was changed in the team library. Ask for keys that can write, enter them in Settings, Library, then run this again.',
  team_failed_read_only:
    'This computer’s keys can only read the team library, so nothing was changed. Ask for keys that can write, then enter them in Settings, Library.',

  busy_publishing:
    'Another process is publishing to this target. Nothing was published. Publish again when it has finished.',
  not_ours_publishing:
    'The location of this target isn’t a folder, or it is in a Galley library. Nothing was published. Choose another folder.',
  invalid_base_url_publishing:
    'The public URL can’t be used. Nothing was published. Edit the target, then publish again.',
  unsafe_target_publishing:
    'The target contains a file that Galley didn’t create: {{path}}. Nothing was published. Move it elsewhere, then publish again.',
  foreign_file_publishing:
    'Publishing would overwrite {{path}}, a file that Galley didn’t create. Nothing was published. Move it elsewhere, then publish again.',
  damaged_blob_publishing:
    'The stored file {{name}}[| ({{sha256}})] is missing or damaged. Nothing was published, and readers see the previous release. [Check the library in Delivery|Run galley fsck], then publish again.',
  io_failed_publishing:
    'A file can’t be read or written[| ({{errno}})]. Nothing was published, and readers see the previous release. Check the disk and the folder permissions, then publish again.',
  target_gone_published:
    '{{path}} no longer exists: it was moved or deleted, or its disk isn’t connected. The library still has everything. Publish again to recreate it.',

  // The app itself
  cannot_listen:
    'The listener can’t start at this address, so no saves are received. Choose another port in the settings.',
  cannot_listen_elsewhere:
    'Another process is listening for this library, so the sample can’t start. Stop that process, then try again.',
  cancelled: 'Cancelled. Nothing was changed.',
  cancelled_midway: 'Cancelled. Completed steps were kept.',
  try_it_failed:
    'The sample couldn’t start. Your own sites are unchanged; anything it added is in the site “Harbour Weekly (demo)”. Try again.',
  emulator_failed:
    'The emulator can’t listen on port {{port}} of this computer ({{reason}}). Nothing was changed. If another program uses the port, stop it; otherwise enter another service URL in the site’s settings.',
  kit_not_run:
    'The kit can’t listen at {{url}}, where the backend would download. Nothing was sent. If another program uses the port, stop it; otherwise enter another base URL that the backend knows.',
  kit_not_run_unreachable:
    'The backend can’t be reached at {{url}}. Nothing was tested. Start it, or correct the callback URL.',
  busy: 'The library is busy, so some unused files couldn’t be deleted yet. Try again later.',
  busy_pruned:
    'The old versions were deleted, but the library is busy, so their files couldn’t be deleted yet. [Later, use “Find unused files” in Delivery.|Run galley gc later.]',
  log_damaged:
    'Some entries of the library log are damaged or missing, so Galley can’t tell which files their saves need. Nothing was deleted. [Check the library in Delivery, then try again.|Run galley fsck to list the entries. Then restore the log or a backup, or give the entries up with galley rebuild --from index, which writes a new log, and try again.]',
  index_held:
    'Another process kept using the index, so traces of the address may remain. What was erased stays erased. Close other programs that use this library, then erase again.',
  library_read_only:
    'Galley can’t write to the library: its disk is full or read-only, or the folder belongs to another account. Nothing was changed. Free up space or change the permissions, then [restart Galley|try again].',
  log_mismatch:
    'The library’s index and log don’t match. Nothing was changed. [In Delivery, choose which one to keep.|Run galley rebuild --from log to keep the log, or galley rebuild --from index to keep the index.]',
  served_elsewhere:
    'Another process receives saves for this library. Nothing was erased. Stop its listener, then erase again.',
  served_elsewhere_rebuild:
    'Another process receives saves for this library. Nothing was changed. Stop its listener, then try again.',
  team_read_only:
    'This computer’s keys can only read the team’s bucket. Nothing was changed. Do this on a computer whose keys can write.',
  archive_damaged:
    'A stored archive is damaged, so Galley can’t tell whether it contains the address. What was erased stays erased. [Check the library in Delivery|Run galley fsck], then erase again.',
  pages_unreadable:
    'Some stored pages can’t be read, so Galley can’t tell which files they need. No file was deleted. [Check and repair the library in Delivery|Run galley fsck --repair], then try again.',
  unexpected:
    'Galley couldn’t finish this. Stored versions are unchanged. Try again; if that doesn’t help, check the disk.',
  unexpected_midway:
    'Galley couldn’t finish this. Completed steps were kept. Try again; if that doesn’t help, check the disk.',
} as const
