/** Under which names a library remembers its last check, its last backup, and when a person was last erased. */
export const checkName = 'last-check'
export const backupName = 'last-backup'
export const eraseName = 'last-erase'
