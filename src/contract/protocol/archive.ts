import type { CauseCode } from '../cause.ts'

/** What an inbound archive may cost at most; checked on declared figures first and counted again while unpacking. */
export interface ArchiveLimits {
  readonly entries: number
  readonly unpackedBytes: number
  readonly entryBytes: number
  /** vms_html.html, vms_json.json, vms_fonts.css, vms_fonts.json and metadata_json.json, each. */
  readonly textBytes: number
}

export const archiveLimits: ArchiveLimits = {
  entries: 20_000,
  unpackedBytes: 1024 ** 3,
  entryBytes: 512 * 1024 ** 2,
  textBytes: 32 * 1024 ** 2,
}

/** Longer names are refused; in bytes of the archive, so that the same name is refused whatever its encoding. */
export const entryNameMaxBytes = 1024

/** What an entry is to the job that unpacks it; `name` is a file's name inside its folder, else the entry's own. */
export interface EntryRole<Text extends string> {
  readonly kind: Text | 'file' | 'metadata' | 'unexpected'
  readonly name: string
}

const otherRole = (entry: string, folder: string): EntryRole<never> => {
  if (entry === 'metadata_json.json') return { kind: 'metadata', name: entry }
  return entry.startsWith(folder)
    ? { kind: 'file', name: entry.slice(folder.length) }
    : { kind: 'unexpected', name: entry }
}

/** Contract, Media ZIP contents. */
export function mediaRole(entry: string): EntryRole<'html' | 'state'> {
  if (entry === 'vms_html.html') return { kind: 'html', name: entry }
  return entry === 'vms_json.json' ? { kind: 'state', name: entry } : otherRole(entry, 'vms_media/')
}

/** Contract, Fonts ZIP contents. It has no metadata; should some come all the same, credentials are removed likewise. */
export function fontsRole(entry: string): EntryRole<'css' | 'tree'> {
  if (entry === 'vms_fonts.css') return { kind: 'css', name: entry }
  return entry === 'vms_fonts.json' ? { kind: 'tree', name: entry } : otherRole(entry, 'vms_fonts/')
}

/**
 * Why a file's name is not taken from an archive, or null when it is. No name ever becomes a path of ours; these are
 * the names that would harm somebody who unpacks the kept archive, or that two readers of it would see differently.
 * `wow..png`, any script and reserved names of other systems are fine.
 */
export function entryNameProblem(name: string): CauseCode | null {
  if (name === '') return 'name_empty'
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return 'name_controls'
  if (name.includes('\\')) return 'name_backslash'
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'name_absolute'
  // Percent-encoded dots and slashes are characters like others here, but not to every server on the way to a reader.
  const decoded = name.includes('%') ? name.replace(/%2e/gi, '.').replace(/%(?:2f|5c)/gi, '/') : name
  const hasDots = (path: string): boolean => path.split('/').some((segment) => segment === '.' || segment === '..')
  if (hasDots(name) || hasDots(decoded)) return 'name_leaves'
  return name.split('/').includes('') ? 'name_empty_folder' : null
}

/** A name as messages may show it: without invisible characters, and not endless. */
export function shownName(name: string): string {
  const visible = name.replace(/\p{C}/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
  return visible.length <= 100 ? visible : `${visible.slice(0, 99).toWellFormed()}…`
}
