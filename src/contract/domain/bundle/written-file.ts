import type { Sha256 } from '../../ids.ts'
import { isStyleSheet } from '../media-types.ts'

/** What a media file is whose text an export may change. */
export type WrittenKind = 'sheet' | 'drawing'

export const writtenKind = (name: string): WrittenKind | null =>
  isStyleSheet(name) ? 'sheet' : /\.svgz?$/i.test(name) ? 'drawing' : null

/** Identifies such a file: the same bytes are written in another way under a name of the other kind. */
export const writtenKey = ({ name, sha256 }: { readonly name: string; readonly sha256: Sha256 }): string =>
  `${writtenKind(name) ?? ''} ${sha256}`
