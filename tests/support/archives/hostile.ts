import type { TestEntry } from '../zip.ts'
import { aSave } from './sound.ts'

/** An archive that must be refused, and the expected reason. */
export interface HostileArchive {
  readonly name: string
  readonly bytes: () => Buffer
  readonly words: RegExp
  readonly kind: 'invalid_archive' | 'content_too_large' | 'missing_asset'
}

/** The end of every file name that escapes its folder, to search for afterwards. */
export const escapeMarker = 'galley-evil'

/** An entry of one byte that is valid except for `more`. */
export const media = (name: string | Buffer, more: Partial<TestEntry> = {}): TestEntry => ({ name, data: 'x', ...more })

/** A valid save except for these entries. */
export const refused = (
  name: string,
  entries: readonly TestEntry[],
  words: RegExp,
  kind: HostileArchive['kind'] = 'invalid_archive',
): HostileArchive => ({ name, bytes: () => aSave(entries), words, kind })

/** The same for bytes of any kind. */
export const refusedBytes = (
  name: string,
  bytes: () => Buffer,
  words: RegExp,
  kind: HostileArchive['kind'] = 'invalid_archive',
): HostileArchive => ({ name, bytes, words, kind })
