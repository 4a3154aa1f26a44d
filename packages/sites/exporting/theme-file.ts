import { entryNameProblem, parsedJson } from '@galley/wire'

// All files of a person's theme in one file of the library: a line of JSON with paths and sizes, then their bytes.

/** The files of a theme as one file. `files` has a fixed order, so the same theme is the same file. */
export function packTheme(files: ReadonlyMap<string, Buffer>): Buffer {
  const sizes = [...files].map(([path, bytes]) => [path, bytes.length])
  return Buffer.concat([Buffer.from(`${JSON.stringify({ galleyTheme: 1, files: sizes })}\n`), ...files.values()])
}

/** The files in such a file; null if it is none: another member of a team may have stored anything. */
export function unpackTheme(pack: Buffer): ReadonlyMap<string, Buffer> | null {
  const end = pack.indexOf('\n')
  const head = Object(parsedJson(pack.toString('utf8', 0, Math.max(0, end)))) as Partial<
    Record<'galleyTheme' | 'files', unknown>
  >
  const { galleyTheme, files: listed } = head
  if (galleyTheme !== 1 || !Array.isArray(listed)) return null
  const files = new Map<string, Buffer>()
  let at = end + 1
  for (const each of listed as readonly unknown[]) {
    const [path, bytes]: readonly unknown[] = Array.isArray(each) ? (each as readonly unknown[]) : []
    if (typeof path !== 'string' || entryNameProblem(path) !== null) return null
    if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) return null
    files.set(path, pack.subarray(at, at + bytes))
    at += bytes
  }
  return at === pack.length ? files : null
}
