/** Sync programs, by the folder names they use. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/[/\\]Dropbox([/\\]|$)/i, 'Dropbox'],
  [/[/\\]OneDrive[^/\\]*([/\\]|$)/i, 'OneDrive'],
  [/[/\\](Google ?Drive|GoogleDrive-[^/\\]*|My Drive)([/\\]|$)/i, 'Google Drive'],
  [/[/\\](Mobile Documents|iCloud ?Drive)([/\\]|$)/i, 'iCloud Drive'],
  [/[/\\]Nextcloud([/\\]|$)/i, 'Nextcloud'],
  [/[/\\]Syncthing([/\\]|$)/i, 'Syncthing'],
]

/** The program that seems to sync a folder, by its path; null if none. */
export const syncedBy = (folder: string): string | null => programs.find(([path]) => path.test(folder))?.[1] ?? null
