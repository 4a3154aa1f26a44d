/** Words of replays of callbacks. */
export const replay = {
  intro:
    'A replay runs the callback again from the archive that was kept, with the settings of today. It sends nothing.',
  dryRunText: 'A dry run stores nothing.',
  impossible: {
    site: 'The site of this callback is not in the library any more, so it cannot be replayed.',
    signature: 'Only callbacks with a valid signature can be replayed.',
    gone_one: '{{count, number}} callback could not be replayed: it, or its site, is not in the library any more.',
    gone_other:
      '{{count, number}} callbacks could not be replayed: they, or their sites, are not in the library any more.',
  },
  running: 'Replaying…',
  progress: '{{done, number}} of {{total, number}} callbacks replayed',
  hide: 'Go on in the background',
  before: 'Then',
  afterDry: 'Now, as a dry run',
  afterReal: 'Now, for real',
  same: 'It would end as it did.',
  sameReal: 'It ended as it did before.',
  differs: 'It would end differently.',
  differsReal: 'It ended differently.',
  noVersion: 'No version',
  confirm: {
    title_one: 'Replay {{count, number}} callback for real?',
    title_other: 'Replay {{count, number}} callbacks for real?',
    text: 'What ends well is stored as a version. Versions that are there already stay as they are.',
    run_one: 'Replay {{count, number}} callback',
    run_other: 'Replay {{count, number}} callbacks',
  },
  results: 'Replay',
  resultsDry: 'Dry run',
  summary_zero: 'All end as they did.',
  summary_one: '{{count, number}} callback ends differently.',
  summary_other: '{{count, number}} callbacks end differently.',
  callback: 'Callback',
  capped: 'The first {{shown, number}} of {{total, number}} are shown.',
} as const
