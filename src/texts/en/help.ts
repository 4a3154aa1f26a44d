/** Texts of the help and the About dialog. */
export const help = {
  title: 'Help',
  documentation: 'Show documentation files',
  topics: {
    start: {
      title: 'First steps',
      text: 'Add a site with the address, API key and secret of its service. Create a material and open it in the editor. Saved versions appear in Materials. To look around first, try the sample; you don’t need an account.',
    },
    saves: {
      title: 'How saves arrive',
      text: 'The service sends each save to the callback URL of the site. That URL must reach the listener on this computer, directly or through a tunnel or proxy; test it in Delivery. Each save becomes a version; nothing is overwritten.',
    },
    failed: {
      title: 'When a save fails',
      text: 'Delivery lists every request with the step at which it stopped, the reason and what to do. The signature doctor finds the secret that a request was signed with. You can replay a callback if its archive was stored.',
    },
    review: {
      title: 'Review and compare',
      text: 'Open a version with Review. Approve it, or request changes with a note; Copy for author copies the note to the clipboard. Compare shows two versions side by side as pages, text, HTML, editor state and media. Galley has no accounts: a decision is recorded under your user name on this computer.',
    },
    exports: {
      title: 'Export a static site',
      text: 'An export writes pages and media to a folder or a ZIP file. Before anything is written, the plan lists what changes and which links are broken.',
    },
    backup: {
      title: 'Backup and restore',
      text: 'A backup is one file with everything except secrets. Restoring creates a new library in another folder; the open library doesn’t change. Delete old versions in Settings, Library, after a preview.',
    },
    people: {
      title: 'Pause saves and erase a person',
      text: 'In Settings, Rules, you can pause saves for a site or a material and block an editor. In Settings, Library, you can erase an e-mail address from versions, callbacks and stored archives.',
    },
    commandLine: {
      title: 'Command line',
      text: 'Everything Galley does with a library is also available as a command, for scripts and for servers without a display. Run galley --help for a list.',
    },
  },
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
