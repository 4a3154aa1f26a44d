import type { MediaFile } from './version.ts'

/** The change of a media file between two versions. Sizes in bytes, null if the version does not have it. */
export interface MediaChange {
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed' | 'same'
  readonly sizeBefore: number | null
  readonly sizeAfter: number | null
}

/** Compares the media of two versions by name: changed files first, both parts sorted by name. */
export function mediaChanges(before: readonly MediaFile[], after: readonly MediaFile[]): readonly MediaChange[] {
  const earlier = new Map(before.map((file) => [file.name, file]))
  const later = new Map(after.map((file) => [file.name, file]))
  const changes = [...new Set([...earlier.keys(), ...later.keys()])].toSorted().map((name): MediaChange => {
    const [from, to] = [earlier.get(name), later.get(name)]
    const kind = !from ? 'added' : !to ? 'removed' : from.sha256 === to.sha256 ? 'same' : 'changed'
    return { name, kind, sizeBefore: from?.sizeBytes ?? null, sizeAfter: to?.sizeBytes ?? null }
  })
  return [...changes.filter(({ kind }) => kind !== 'same'), ...changes.filter(({ kind }) => kind === 'same')]
}
