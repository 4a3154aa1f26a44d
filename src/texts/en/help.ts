/** Words of the help, and of what Galley is. */
export const help = {
  title: 'Help',
  documentation: 'Show documentation files',
  topics: {
    start: {
      title: 'First steps',
      text: 'Add a site with the address, API key and secret of its service. Create a material and open it in the editor. What is saved there appears in Materials. To look around first, try the sample: it needs no account.',
    },
    saves: {
      title: 'How saves arrive',
      text: 'The service sends each save to the callback URL of the site. It has to reach the listener of this computer, directly or through a tunnel or proxy. Health tests that. Each save becomes a version; nothing is overwritten.',
    },
    failed: {
      title: 'When a save fails',
      text: 'Callbacks lists every request with the step at which it stopped, the reason and what to do. The signature doctor finds out which secret a request was signed with. A callback whose archive was kept can be replayed.',
    },
    review: {
      title: 'Review and compare',
      text: 'Open a version with Review. Approve it or reject it with a reason; Copy for author puts the reason on the clipboard. Compare shows two versions side by side as pages, text, HTML, editor state and media. Galley has no accounts, so a verdict says when it was given, not by whom.',
    },
    exports: {
      title: 'Export a static site',
      text: 'An export writes pages and media into a folder or a ZIP file. The plan lists what changes and which links are broken before anything is written.',
    },
    backup: {
      title: 'Backup and restore',
      text: 'A backup is one file with everything but the secrets. Restore makes a new library from it in another folder; the open library stays as it is. Delete old versions in Settings, Storage, after a preview.',
    },
    people: {
      title: 'Pause saves and erase a person',
      text: 'In Settings, Rules, you can refuse the saves of a site, a material or an editor. In Settings, Storage, an e-mail address can be erased from versions, callbacks and kept archives.',
    },
    commandLine: {
      title: 'Command line',
      text: 'Everything the library does is also a command, for scripts and servers without a display: galley --help lists them.',
    },
  },
  about: {
    title: 'About Galley',
    text: 'The site side of a hosted layout editor: it opens sessions, receives saves, keeps every version and exports static sites.',
    version: 'Version',
    licence: 'Licence',
    library: 'Library',
  },
  copied: 'Diagnostics copied: versions, the state of the library and the newest log lines, without secrets',
  commands: { open: 'Help', about: 'About Galley', log: 'Open log folder', diagnostics: 'Copy diagnostics' },
} as const
