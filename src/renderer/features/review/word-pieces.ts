import type { Change } from '../../../ipc/desk.ts'

export interface WordPiece {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

const lettersIn = (text: string): number => text.replace(/\s/g, '').length

/** Where so many letters end; white space does not count. */
function behind(text: string, from: number, letters: number): number {
  let [at, left] = [from, letters]
  for (; left > 0 && at < text.length; at++) if (!/\s/.test(text.charAt(at))) left -= 1
  return at
}

/** Both texts of a change as one: what stayed, with what was taken and added where it was. */
export function wordPieces({
  before,
  after,
  removedRanges,
  addedRanges,
}: Pick<Change, 'before' | 'after' | 'removedRanges' | 'addedRanges'>): readonly WordPiece[] {
  const [one, other] = [before ?? '', after ?? '']
  const pieces: WordPiece[] = []
  let [at, otherAt] = [0, 0]
  const put = (kind: WordPiece['kind'], text: string): void => void (text !== '' && pieces.push({ kind, text }))
  const [removed, added] = [[...removedRanges], [...addedRanges]]
  while (removed.length + added.length > 0) {
    const [[taken, takenTo], [given, givenTo]] = [removed[0] ?? [Infinity, 0], added[0] ?? [Infinity, 0]]
    // What stayed may differ in white space.
    const left = taken === Infinity ? Infinity : lettersIn(one.slice(at, taken))
    const otherLeft = given === Infinity ? Infinity : lettersIn(other.slice(otherAt, given))
    if (left === 0) {
      put('removed', one.slice(at, takenTo))
      at = takenTo
      removed.shift()
    } else if (otherLeft === 0) {
      put('added', other.slice(otherAt, givenTo))
      otherAt = givenTo
      added.shift()
    } else {
      const letters = Math.min(left, otherLeft)
      const end = behind(other, otherAt, letters)
      put('same', other.slice(otherAt, end))
      at = behind(one, at, letters)
      otherAt = end
    }
  }
  put('same', other.slice(otherAt))
  return pieces
}
