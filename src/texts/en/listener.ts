/** Words about the listener. */
export const listener = {
  label: 'Listener',
  state: {
    starting: 'Starting',
    listening: 'Listening',
    elsewhere: 'Served elsewhere',
    failed: 'Not listening',
    stopping: 'Stopping',
    stopped: 'Stopped',
    unknown: 'Not known',
  },
  refusing: {
    listening: { some: 'Listening, some saves refused', all: 'Listening, saves refused' },
    elsewhere: { some: 'Served elsewhere, some saves refused', all: 'Served elsewhere, saves refused' },
  },
  refused: {
    all: 'Saves for all sites have been refused since {{when}}. Nothing new is stored.',
    site: 'Saves for {{site}} have been refused since {{when}}. Nothing new is stored.',
    reason: 'Reason: {{reason}}',
    take: 'Accept saves again',
  },
  start: 'Start',
  toHealth: 'Open Health',
  process: 'process {{id}}',
  elsewhereHint: 'Process {{id}} receives the saves of this library; this window shows them as they arrive.',
  failed: {
    taken:
      'Port {{port}} is used by another program, so saves cannot arrive. End that program or choose another port, then start again.',
    forbidden:
      'The system does not allow port {{port}}, so saves cannot arrive. Choose a port above 1023, then start again.',
    foreign:
      'This computer doesn’t have the listener’s address, so it can’t receive saves. Choose another one, then start again.',
    library:
      'Galley can’t write to the library, so saves cannot arrive. Check its disk and the permissions of its folder, then start the listener again.',
    mismatch:
      'The index of the library does not belong to its log, so saves cannot arrive. Nothing was changed. Choose on the Health screen which of the two to keep.',
    other: 'Nothing listens, so saves cannot arrive. Choose another address or port, then start again.',
  },
  broken: 'Listening, no save is stored',
  brokenText:
    'The library disk reported an error, so Galley no longer stores saves. Earlier saves are kept. Fix the disk, then restart Galley.',
  stoppedBanner: 'The listener is stopped, so saves cannot arrive.',
} as const
