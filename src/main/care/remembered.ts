/** Under which names a library remembers its last check and its last backup. */
export const checkName = 'last-check'
export const backupName = 'last-backup'
