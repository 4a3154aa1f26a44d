/** Texts about the listener. */
export const listener = {
  label: 'Listener',
  state: {
    starting: 'Starting',
    listening: 'Listening',
    elsewhere: 'Another process is listening',
    failed: 'Not listening',
    stopping: 'Stopping',
    stopped: 'Stopped',
    unknown: 'Unknown',
  },
  refusing: {
    listening: { some: 'Listening, some saves paused', all: 'Listening, saves paused' },
    elsewhere: {
      some: 'Another process is listening, some saves paused',
      all: 'Another process is listening, saves paused',
    },
  },
  refused: {
    all: 'Saves for all sites have been paused since {{when}}. Nothing new is being stored.',
    site: 'Saves for {{site}} have been paused since {{when}}. Nothing new is being stored.',
    reason: 'Reason: {{reason}}',
    take: 'Resume saves',
  },
  start: 'Start',
  toHealth: 'Open Delivery',
  process: 'process {{id}}',
  elsewhereHint: 'Process {{id}} receives the saves for this library; they appear in this window immediately.',
  failed: {
    taken:
      'Another program uses port {{port}}, so Galley can’t receive saves. Close that program or choose another port, then start the listener again.',
    forbidden:
      'The system doesn’t allow port {{port}}, so Galley can’t receive saves. Choose a port above 1023, then start the listener again.',
    foreign:
      'This computer doesn’t have the listener’s address, so it can’t receive saves. Choose another address, then start the listener again.',
    library:
      'Galley can’t write to the library, so it can’t receive saves. Check the disk and the folder permissions, then start the listener again.',
    mismatch:
      'The library’s index and log don’t match, so Galley can’t receive saves. Nothing was changed. In Delivery, choose which one to keep.',
    other:
      'The listener couldn’t start, so Galley can’t receive saves. Choose another address or port, then start the listener again.',
  },
  broken: 'Can’t store saves',
  brokenText: {
    restart: 'No save can be stored now; earlier saves are kept. The cause: {{why}}.',
    reopened:
      'The library index is damaged. No save is lost. Galley is rebuilding the index from the log and stores saves again when it is done.',
    mended:
      'No save can be stored now; earlier saves are kept. The cause: {{why}}. Check the disk and the permissions of the library folder. Galley tries again every few seconds and stores saves as soon as it can.',
  },
  stoppedBanner: 'The listener is stopped, so no saves are received.',
} as const
