import type { TestEntry } from '../zip.ts'
import { aSave } from './sound.ts'

/** An archive that has to be refused, with what has to be said of it. */
export interface HostileArchive {
  readonly name: string
  readonly bytes: () => Buffer
  readonly words: RegExp
  readonly kind: 'invalid_archive' | 'content_too_large' | 'missing_asset'
}

/** What an archive that got out of its folder would leave somewhere: every name that climbs ends with it. */
export const escapeMarker = 'galley-evil'

/** An entry of one byte that is sound in everything but what `more` says. */
export const media = (name: string | Buffer, more: Partial<TestEntry> = {}): TestEntry => ({ name, data: 'x', ...more })

/** A sound save but for these entries. */
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
