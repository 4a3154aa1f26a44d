// Page addresses: lower-case segments joined by `/`, without a slash at either end.

/** Device names of Windows, which are reserved with any extension. */
const windowsDevice = /^(?:con|prn|aux|nul|conin|conout|com\d|lpt\d)$/
export const isWindowsDevice = (name: string): boolean => windowsDevice.test(name)

/** Folders of a bundle that are not pages. */
export const bundleFolders: ReadonlySet<string> = new Set(['media', 'fonts', 'theme'])

export const pathMaxSegments = 6
export const pathMaxChars = 185

const plainSegment = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Whether the list of a tag can have this folder on every file system. */
export const isTagFolder = (folder: string): boolean =>
  folder.length <= pathMaxChars && plainSegment.test(folder) && !isWindowsDevice(folder)

/** Whether a page can have this path on every file system. */
export function isPagePath(path: string): boolean {
  const segments = path.split('/')
  return (
    path.length <= pathMaxChars &&
    segments.length <= pathMaxSegments &&
    !bundleFolders.has(segments[0] ?? '') &&
    segments.every((segment) => plainSegment.test(segment) && !isWindowsDevice(segment))
  )
}
