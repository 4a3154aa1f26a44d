/** Texts about pages under review, and about messages to their authors. */
export const review = {
  verdicts: { approved: 'Approved', changes_requested: 'Changes requested' },
  /** Copied for the author of the version; the reason follows. */
  forAuthor: 'Changes requested: “{{title}}”, version #{{number}} saved {{saved}}.',
  quoted: '“{{quote}}”',
  editHere: 'Edit: {{link}}',
  showHere: 'See in Galley: {{link}}',
  copyForAuthor: 'Copy for author',
  mailAuthor: 'Mail to author…',
  messageFailed: 'Couldn’t write to the author',
  mailFailed: 'Couldn’t start a mail',
  mailed: {
    mail: 'A mail to {{to}} was started in your mail program.',
    too_long: 'The text is too long for a mail draft, so it was copied. Paste it into a mail to {{to}}.',
    no_program: 'No mail program opened, so the text was copied. Paste it into a mail to {{to}}.',
  },
  openInEditor: 'Open in editor',
  unified: 'Unified',
  /** `files`: the first names, and how many more there are. */
  unshown_one: '{{count}} file isn’t shown: {{files}}.',
  unshown_other: '{{count}} files aren’t shown: {{files}}.',
  unshownMore: '{{count}} more',
  unshownWhy: {
    missing: 'Not in the library under this address',
    elsewhere: 'On another site: a review loads nothing from the internet',
    kind: 'A kind of file that a review doesn’t show in a frame',
    script: 'Loaded by a script: scripts are off in a review',
  },
  scriptsOff: 'Scripts of this page are off in a review.',
  lost_one:
    '{{count}} media file of this page can’t be read from the disk. Run a library check; it can restore the file if the original archive was stored.',
  lost_other:
    '{{count}} media files of this page can’t be read from the disk. Run a library check; it can restore the files if the original archive was stored.',
  damaged: {
    lost: 'The page file is missing or unreadable. Other versions aren’t affected. Run a library check; it can restore the file if the original archive was stored.',
    altered:
      'The page file was changed on the disk, so it isn’t shown. Other versions aren’t affected. Run a library check; it can restore the file if the original archive was stored.',
  },
  openHealth: 'Open Delivery',
  ended: {
    crashed: {
      title: 'The page crashed',
      text: 'The stored version isn’t affected. Reload the page, or choose another version.',
    },
    memory: {
      title: 'The page used too much memory',
      text: 'Galley stopped it at 1 GB to protect this computer. The stored version isn’t affected. The page may need less memory without images.',
    },
    hanging: {
      title: 'The page stopped responding',
      text: 'Galley stopped it. The stored version isn’t affected. The page may load faster without images.',
    },
    reload: 'Reload',
    reloadWithoutImages: 'Reload without images',
  },
  withoutImages: 'This page is shown without its images and videos. The stored version has them.',
  failed: { title: 'Couldn’t open this version' },
  sources: { html: 'HTML', state: 'Editor state', metadata: 'Metadata' },
  before: 'Before',
  after: 'After',
  comparing: 'Comparing…',
  same: 'No differences.',
  cut: 'The texts are long, so only their first 5 million characters are compared.',
  changes_one: '{{count}} change',
  changes_other: '{{count}} changes',
  changeOf: 'Change {{place}} of {{count}}',
  unchanged: '{{lines}} unchanged lines',
  previousChange: 'Previous change',
  nextChange: 'Next change',
} as const
