import type { FilePair } from '@galley/compare'
import type { MediaChange } from '@galley/library/records'
import type { Sha256 } from '@galley/wire'

import type { VersionMedia } from '../../ipc/media.ts'

/** One file in the lightbox. */
export interface ShownSide {
  readonly name: string
  readonly alts: readonly string[]
  /** Null: no file of the version, such as a picture on another site. */
  readonly file: { readonly sha256: Sha256; readonly type: string; readonly sizeBytes: number } | null
}

/** What the lightbox shows: a file, or one and the other that took its place. */
export interface Item {
  readonly before: ShownSide | null
  readonly after: ShownSide | null
}

type Rows = readonly MediaChange<VersionMedia>[]

const sideOf = (media: VersionMedia | null): ShownSide | null =>
  media && { name: media.name, alts: media.alts, file: media }

export const itemsOf = (rows: Rows): readonly Item[] =>
  rows.map(({ before, after }) => ({ before: sideOf(before), after: sideOf(after) }))

/** The files of a change, with what is known of them. */
export function itemsOfChange(files: readonly FilePair[], rows: Rows): readonly Item[] {
  const known = new Map(
    rows.flatMap(({ before, after }) =>
      [before, after].flatMap((media) => (media === null ? [] : [[media.sha256 as string, media] as const])),
    ),
  )
  const side = (found: FilePair['before']): ShownSide | null => {
    if (found === null) return null
    const media = known.get(found.file ?? '') ?? null
    return { name: media?.name ?? found.name, alts: found.alt === null ? [] : [found.alt], file: media }
  }
  return files.map(({ before, after }) => ({ before: side(before), after: side(after) }))
}
