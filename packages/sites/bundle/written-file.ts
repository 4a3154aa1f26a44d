import type { Sha256 } from '@galley/wire'
import { isStyleSheet } from '@galley/wire'

/** The kind of a media file whose text an export may change. */
export type WrittenKind = 'sheet' | 'drawing'

export const writtenKind = (name: string): WrittenKind | null =>
  isStyleSheet(name) ? 'sheet' : /\.svgz?$/i.test(name) ? 'drawing' : null

/** Identifies such a file. The kind is included, because the same bytes are written differently as another kind. */
export const writtenKey = ({ name, sha256 }: { readonly name: string; readonly sha256: Sha256 }): string =>
  `${writtenKind(name) ?? ''} ${sha256}`
