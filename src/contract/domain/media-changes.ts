import type { MediaFile } from './version.ts'

/** How one media file differs between two versions; sizes in bytes, null where it is not there. */
export interface MediaChange {
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed' | 'same'
  readonly sizeBefore: number | null
  readonly sizeAfter: number | null
}

/** The media of two versions side by side, by name: what differs first, each part in order of name. */
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
