/** Texts of the help and the About dialog. */
export const help = {
  title: 'Help',
  documentation: 'Show documentation files',
  search: 'Search the guide',
  contents: 'Guide',
  noMatch: 'No match',
  noMatchText: 'Try other words, or look through the pages.',
  means: 'What does this mean?',
  report: {
    title: 'Report a problem',
    text: 'This is everything in the report: versions, the state of the library, and the newest lines of the log, without secrets. Galley sends nothing: attach the file, or paste the text, where you report the problem, and say what you did and what you expected.',
    save: 'Save to a file…',
    copy: 'Copy report',
    saved: 'Report saved to {{path}}',
  },
  about: {
    notices: 'Third-party notices',
    title: 'About Galley',
    text: 'Opens pages in a hosted layout editor, receives every save, keeps every version and exports static sites.',
    version: 'Version',
    licence: 'Licence',
    library: 'Library',
  },
  copied: 'Diagnostics copied: versions, library status and the newest log lines, without secrets',
  commands: {
    report: 'Report a problem…',
    open: 'Help',
    about: 'About Galley',
    log: 'Open log folder',
    diagnostics: 'Copy diagnostics',
  },
} as const
