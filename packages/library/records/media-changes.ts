import type { MediaFile } from './version.ts'

/** A media file of two versions; null: that version does not have it. */
export interface MediaChange<File extends MediaFile = MediaFile> {
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed' | 'same'
  readonly before: File | null
  readonly after: File | null
}

/** Compares the media of two versions by name: changed files first, both parts sorted by name. */
export function mediaChanges<File extends MediaFile>(
  before: readonly File[],
  after: readonly File[],
): readonly MediaChange<File>[] {
  const earlier = new Map(before.map((file) => [file.name, file]))
  const later = new Map(after.map((file) => [file.name, file]))
  const changes = [...new Set([...earlier.keys(), ...later.keys()])].toSorted().map((name): MediaChange<File> => {
    const [from = null, to = null] = [earlier.get(name), later.get(name)]
    const kind =
      from === null ? 'added' : to === null ? 'removed' : from.sha256 === to.sha256 ? ('same' as const) : 'changed'
    return { name, kind, before: from, after: to }
  })
  return [...changes.filter(({ kind }) => kind !== 'same'), ...changes.filter(({ kind }) => kind === 'same')]
}
