/** Under which names a library remembers its last check, its last backup, and when a person was last erased. */
export const checkName = 'last-check'
export const backupName = 'last-backup'
export const eraseName = 'last-erase'
/** In place of the moment of the last erase, while one runs or when it was cut off. */
export const unfinished = 'unfinished'
