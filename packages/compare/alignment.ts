/** For each item of one list its partner in the other, -1 for none. Both sides always agree. */
export class Alignment {
  readonly toOther: Int32Array
  readonly toOne: Int32Array

  constructor(one: number, other: number) {
    this.toOther = new Int32Array(one).fill(-1)
    this.toOne = new Int32Array(other).fill(-1)
  }

  /** Whether both exist and have no partner. */
  areFree = (one: number, other: number): boolean => this.toOther[one] === -1 && this.toOne[other] === -1

  pair(one: number, other: number): void {
    this.toOther[one] = other
    this.toOne[other] = one
  }

  part(one: number): void {
    const other = this.toOther[one] ?? -1
    if (other !== -1) this.toOne[other] = -1
    this.toOther[one] = -1
  }

  /** The most pairs that are in the same order in both lists: 1 for each item of the first list that is in one. */
  inOrder(): Uint8Array {
    const { toOther } = this
    /** The item whose partner ends a row of this length earliest, by length. */
    const ends: number[] = []
    const before = new Int32Array(toOther.length).fill(-1)
    for (const [one, other] of toOther.entries()) {
      if (other === -1) continue
      let [low, high] = [0, ends.length]
      while (low < high) {
        const half = (low + high) >> 1
        if ((toOther[ends[half] ?? 0] ?? 0) < other) low = half + 1
        else high = half
      }
      before[one] = low === 0 ? -1 : (ends[low - 1] ?? -1)
      ends[low] = one
    }
    const kept = new Uint8Array(toOther.length)
    for (let one = ends.at(-1) ?? -1; one !== -1; one = before[one] ?? -1) kept[one] = 1
    return kept
  }

  /** The items without a partner between two pairs that are in order, where there are some in both lists. */
  gaps(): readonly Gap[] {
    const gaps: Gap[] = []
    const kept = this.inOrder()
    let [from, otherFrom] = [0, 0]
    const end = (to: number, otherTo: number): void => {
      const one = free(this.toOther, from, to)
      const other = free(this.toOne, otherFrom, otherTo)
      if (one.length > 0 && other.length > 0) gaps.push({ one, other })
    }
    for (const [one, isKept] of kept.entries()) {
      if (isKept === 0) continue
      const other = this.toOther[one] ?? 0
      if (one > from && other > otherFrom) end(one, other)
      ;[from, otherFrom] = [one + 1, other + 1]
    }
    end(this.toOther.length, this.toOne.length)
    return gaps
  }
}

export interface Gap {
  readonly one: readonly number[]
  readonly other: readonly number[]
}

function free(partners: Int32Array, from: number, to: number): readonly number[] {
  const found: number[] = []
  for (let at = from; at < to; at += 1) if (partners[at] === -1) found.push(at)
  return found
}

/** The pairs in order with the greatest sum of scores; none of a score of 0. */
export function bestPairs(
  { one, other }: Gap,
  score: (one: number, other: number) => number,
): readonly (readonly [one: number, other: number])[] {
  const width = other.length + 1
  const best = new Float64Array((one.length + 1) * width)
  const scores = new Float64Array(best.length)
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const at = row * width + column
      const here = score(one[row] ?? 0, other[column] ?? 0)
      scores[at] = here
      const skipped = Math.max(best[at + 1] ?? 0, best[at + width] ?? 0)
      best[at] = here === 0 ? skipped : Math.max(skipped, here + (best[at + width + 1] ?? 0))
    }
  const pairs: (readonly [number, number])[] = []
  for (let row = 0, column = 0; row < one.length && column < other.length;) {
    const at = row * width + column
    const here = scores[at] ?? 0
    const total = best[at] ?? 0
    if (here > 0 && total === here + (best[at + width + 1] ?? 0)) {
      pairs.push([one[row] ?? 0, other[column] ?? 0])
      row += 1
      column += 1
    } else if (total === (best[at + width] ?? 0)) row += 1
    else column += 1
  }
  return pairs
}
