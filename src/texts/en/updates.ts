/** Texts about newer versions of Galley. */
export const updates = {
  title: 'Updates',
  check: 'Check for updates',
  checkNow: 'Check now',
  daily: 'Check for updates once a day',
  dailyHint: 'Sends one request a day to the address that this package was built with. Nothing is installed unasked.',
  off: {
    development: 'Updates are off: this is a development runtime.',
    not_set: 'Updates are off: this package was built without an address for them.',
    environment: 'Updates are off: GALLEY_NO_UPDATES is set.',
    settings: 'Updates are off in Settings.',
  },
  never: 'Not checked yet.',
  newest: 'This is the newest version. Checked {{when}}.',
  failed: 'Galley stays at version {{version}}: {{why}}.',
  steps: {
    named: 'Version {{version}} is available. Your package manager installs it.',
    offered: 'Version {{version}} is available.',
    loading: 'Downloading version {{version}}: {{share}}',
    ready: 'Version {{version}} is checked, and installed when you quit Galley.',
  },
  skipped: 'Version {{version}} is skipped.',
  take: 'Download, and install at quit',
  skip: 'Skip this version',
  news: 'New in version {{version}}, {{day}}',
  show: 'What’s new',
  words: { newest: 'Up to date', newer: 'Update available', failed: 'Not updated', off: 'Off', never: 'Not checked' },
} as const
