import type { CauseCode } from '../cause.ts'

/** Size limits of an inbound archive. Checked against the declared sizes first, and again while unpacking. */
export interface ArchiveLimits {
  readonly entries: number
  readonly unpackedBytes: number
  readonly entryBytes: number
  /** The limit for each of vms_html.html, vms_json.json, vms_fonts.css, vms_fonts.json and metadata_json.json. */
  readonly textBytes: number
}

export const archiveLimits: ArchiveLimits = {
  entries: 20_000,
  unpackedBytes: 1024 ** 3,
  entryBytes: 512 * 1024 ** 2,
  textBytes: 32 * 1024 ** 2,
}

/** Longer names are refused. Counted in bytes of the archive, so that the result does not depend on the encoding. */
export const entryNameMaxBytes = 1024

/**
 * The role of an entry for the job that unpacks it. `name` is the name inside the media or fonts folder, otherwise the
 * entry's name.
 */
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

/**
 * Contract, Fonts ZIP contents. Fonts have no metadata; if an archive contains some, credentials are removed from it too.
 */
export function fontsRole(entry: string): EntryRole<'css' | 'tree'> {
  if (entry === 'vms_fonts.css') return { kind: 'css', name: entry }
  return entry === 'vms_fonts.json' ? { kind: 'tree', name: entry } : otherRole(entry, 'vms_fonts/')
}

/**
 * Why a file name is refused, or null if it is accepted. Galley never uses these names as paths. Refused names could harm a
 * person who unpacks the stored archive, or are read differently by two ZIP readers. `wow..png`, any script and names
 * reserved by other systems are accepted.
 */
export function entryNameProblem(name: string): CauseCode | null {
  if (name === '') return 'name_empty'
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return 'name_controls'
  if (name.includes('\\')) return 'name_backslash'
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'name_absolute'
  // Galley does not decode percent-encoded dots and slashes, but a server between Galley and a reader may.
  const decoded = name.includes('%') ? name.replace(/%2e/gi, '.').replace(/%(?:2f|5c)/gi, '/') : name
  const segments = new Set([...name.split('/'), ...decoded.split('/')])
  if (segments.has('..')) return 'name_leaves'
  if (segments.has('.')) return 'name_dot'
  return name.split('/').includes('') ? 'name_empty_folder' : null
}

/** A name for messages: truncated, without invisible characters. */
export function shownName(name: string): string {
  const visible = name.replace(/\p{C}/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
  return visible.length <= 100 ? visible : `${visible.slice(0, 99).toWellFormed()}…`
}
