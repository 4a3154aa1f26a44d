/** Texts of the setup. */
export const start = {
  title: 'Welcome to Galley',
  intro:
    'Galley opens editing sessions, receives every save and stores it on this computer. Set it up in five short steps. You can skip any of them.',
  progress: 'Step {{step}} of {{total}}',
  steps: {
    keychain: 'Keychain',
    library: 'Library',
    site: 'Site',
    listener: 'Listener',
    session: 'First session',
  },
  next: 'Continue',
  skip: 'Skip',
  leave: 'Skip setup',
  finish: 'Done',
  tryIt: {
    title: 'Don’t have an account yet?',
    text: 'Try Galley with a built-in emulator and sample pages. Everything stays on this computer.',
    start: 'Try it now',
    again: 'Start the sample',
    starting: 'Starting the sample…',
  },
  keychain: {
    title: 'Keychain',
    text: 'Galley stores site secrets in your system keychain and nowhere else. Let’s check that it works.',
    test: 'Test keychain',
    testing: 'Testing…',
    usable: 'The keychain works.',
    locked: 'The keychain is locked. Unlock it, then test again.',
    unavailable:
      'No keychain was found. Galley needs one to store secrets and verify saves. Install or start one (on Linux: GNOME Keyring or KWallet), then test again.',
    environment: 'Galley reads secrets from environment variables on this computer and stores none.',
  },
  library: {
    title: 'Library folder',
    text: 'Versions, media and the callback log are stored in one folder. Choose a disk that is backed up, but not a folder that a sync service manages.',
    folder: 'Folder',
    backups: 'Daily backups (change in Settings)',
    disk: '{{free}} free of {{total}}',
    low: 'The disk is almost full. When it is full, Galley can’t accept saves.',
    synced: '{{program}} syncs this folder, which can corrupt an open library. Choose a folder that isn’t synced.',
    test: 'Test folder',
    testing: 'Testing…',
    failed:
      'The library folder could not be read. Check the disk and the folder permissions, then test again, or choose another folder.',
    choose: 'Choose another folder…',
    chosen: 'Galley will use {{folder}} after a restart.',
    chosenOnce:
      'Restarting from here opens {{folder}} once. After that, GALLEY_LIBRARY decides which library opens; unset it to keep this one.',
    restart: 'Restart now',
  },
  site: {
    title: 'Your site',
    text: 'A site is one integration with the service: its address, your API key and secret, and your callback URL.',
    add: 'Add site',
    has: '{{name}} is set up.',
    lacksSecret: '{{name}} was added, but its secret can’t be read yet.',
    check: 'Test site',
    checking: 'Testing…',
  },
  listener: {
    title: 'Test the callback',
    text: 'The service sends each save to your callback URL. The test sends a signed request to that URL and checks that it reaches this computer.',
    listening: 'Listening at {{address}}.',
    elsewhere: 'Another process is already listening for this library.',
    stopped: 'The listener is stopped, so no saves are received.',
    starting: 'The listener is starting.',
    stopping: 'The listener is stopping.',
    start: 'Start listener',
    settings: 'Choose another port',
    test: 'Send a test callback',
    testing: 'Testing…',
    needsSite: 'Add a site first, then send a test callback.',
  },
  session: {
    title: 'Your first session',
    text: 'Open a material: that shows whether the service accepts the API key and the secret. Then save in the editor, and watch the save arrive here.',
    needsSite: 'Add a site before you open a session.',
  },
  checks: {
    secret_readable: 'The secret can be read, and the service has accepted it.',
    secret_untried:
      'The secret can be read. It was not tried yet: open a material to see whether the service accepts it.',
    secret_missing: 'No secret is stored. Enter it in the site’s settings.',
    secret_changed: 'The keychain no longer has the secret that Galley stored. Enter it again in the site’s settings.',
    keychain_locked: 'The keychain is locked. Unlock it, then test again.',
    keychain_unavailable: 'No keychain was found to read the secret from. Start one, then test again.',
    site_unconfirmed: 'The addresses of this site are not confirmed on this computer, so they were not tested.',
    service_answers: 'The service responds.',
    service_failed:
      'The service, or a proxy in front of it, returned an error. Sessions can’t be opened. Test again later.',
    service_unreached: 'The service can’t be reached: {{why}}. Check the service URL and the network.',
    service_private:
      'The host name of the service URL resolves to a private network, so Galley doesn’t connect. Correct the URL, or choose the development environment if the service runs in your network.',
    http_allowed: 'Unencrypted connections (http) are allowed for this site.',
    http_unconfirmed:
      'The site uses unencrypted connections (http): its API key, signatures and pages can be read or changed in transit. Use https, or allow http in the site’s settings.',
    clock_agrees: 'This computer’s clock matches the service.',
    clock_off: 'This computer’s clock is wrong. Turn on automatic time.',
    clock_unknown:
      'Galley couldn’t compare the clocks, because the service’s response has no date. Make sure that automatic time is on.',
    listener_runs: 'The listener is running.',
    listener_free: 'The port is free; the listener is not running.',
    listener_failed: 'The listener can’t start. Choose another port in the settings.',
    callback_private:
      'The service is on the internet, but only this computer or its network can reach the callback URL, so no save can arrive. Enter the address of a tunnel or a reverse proxy that leads to the listener.',
    callback_reached: 'The callback URL reaches this computer.',
    callback_elsewhere: 'The callback URL reaches a different program. Point your proxy or tunnel at the listener.',
    callback_unreachable:
      'The callback URL can’t be reached: {{why}}. Check the address, and the proxy or tunnel behind it.',
    callback_needs_secret: 'The callback URL can’t be tested without the secret.',
    callback_needs_credentials: 'The callback URL can’t be tested without the callback credentials.',
    callback_other_secret:
      'The listener at the callback URL rejected the signature because it uses a different secret. Enter the same secret there.',
    callback_other_credentials:
      'The listener at the callback URL rejected the callback credentials. Enter the same credentials there.',
    callback_other_site: 'The callback URL doesn’t reach this site. It must end in /callback/ followed by the site ID.',
    callback_without_secret:
      'The listener at the callback URL can’t read its secret or callback credentials. Unlock its keychain, or enter them there.',
    callback_other_host:
      'The listener at the callback URL receives a different host name. Configure the proxy to forward the Host header unchanged.',
    domain_missing:
      'Media are published at {{name}}, which isn’t an allowed domain, so saves with media fail. Add it to the allowed domains.',
    target_written: 'Media can be written to the publishing target.',
    target_refused: 'Media can’t be written to the publishing target: {{why}}.',
    public_readable: 'Published media can be read through their URLs.',
    public_unreadable: 'Published media can’t be read: {{why}}.',
    public_out_of_reach:
      'The service is on the internet, but only this computer or its network can read published media. Enter a public URL that the internet can reach.',
    public_unset:
      'The site has no public URL, so its pages link to the listener instead of the bucket. Enter the bucket’s public address.',
    cors_allowed: 'Pages on other origins can use the fonts.',
    cors_missing:
      'Browsers block the fonts in the editor and on your pages. Add a CORS rule to the publishing target that allows GET from all origins (*).',
    target_deleted: 'Media can be deleted from the publishing target.',
    target_kept: 'The test file couldn’t be deleted, so files of failed saves would also remain: {{why}}.',
    disk_fine: 'The disk has enough space.',
    disk_low: 'The disk is almost full. Free up space, or Galley won’t be able to accept saves.',
  },
} as const
