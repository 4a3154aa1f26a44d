/** Programs that copy a folder elsewhere while it is used, by what they call theirs. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/[/\\]Dropbox([/\\]|$)/i, 'Dropbox'],
  [/[/\\]OneDrive[^/\\]*([/\\]|$)/i, 'OneDrive'],
  [/[/\\](Google ?Drive|GoogleDrive-[^/\\]*|My Drive)([/\\]|$)/i, 'Google Drive'],
  [/[/\\](Mobile Documents|iCloud ?Drive)([/\\]|$)/i, 'iCloud Drive'],
  [/[/\\]Nextcloud([/\\]|$)/i, 'Nextcloud'],
  [/[/\\]Syncthing([/\\]|$)/i, 'Syncthing'],
]

/** The program that seems to synchronise a folder, by its path; null when none does. */
export const syncedBy = (folder: string): string | null => programs.find(([path]) => path.test(folder))?.[1] ?? null
