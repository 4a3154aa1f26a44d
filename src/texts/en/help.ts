/** Texts of the help and the About dialog. */
export const help = {
  title: 'Help',
  documentation: 'Show documentation files',
  search: 'Search the guide',
  contents: 'Guide',
  noMatch: 'No match',
  noMatchText: 'Try other words, or look through the pages.',
  means: 'What does this mean?',
  about: {
    title: 'About Galley',
    text: 'Opens pages in a hosted layout editor, receives every save, keeps every version and exports static sites.',
    version: 'Version',
    licence: 'Licence',
    library: 'Library',
  },
  copied: 'Diagnostics copied: versions, library status and the newest log lines, without secrets',
  commands: { open: 'Help', about: 'About Galley', log: 'Open log folder', diagnostics: 'Copy diagnostics' },
} as const
