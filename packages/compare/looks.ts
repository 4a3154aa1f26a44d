import type { BlockPlace } from './blocks.ts'
import type { BlockPair, Change } from './changes.ts'
import type { Box, BoxPair, ComparedPixels } from './pixels.ts'

/** A page that differs in fewer pixels of a block looks the same. */
const seenPx = 3
/** Bullets, and what else a block draws far beside itself. */
const beside = { x: 48, y: 10 }

const keyOf = ({ path, run }: BlockPlace): string => `${path.join('.')} ${run === null ? '' : `${run.from}-${run.to}`}`

/**
 * The blocks that look different although nothing changed in them: by a style sheet, a font, a theme, or what is beside
 * them. Where all blocks of a container do, it is one change.
 *
 * @param pairs The blocks of both pages, and `boxes` where they are, in the same order
 * @param changes What is known to have changed, which explains how it looks
 */
export function looksOf(
  pairs: readonly BlockPair[],
  boxes: readonly BoxPair[],
  { blocks, rest }: Pick<ComparedPixels, 'blocks' | 'rest'>,
  changes: readonly Change[],
): readonly Change[] {
  const explained = new Set(changes.flatMap(({ to, from }) => [...to, ...from]).map(keyOf))
  const paths = new Set(
    changes
      .flatMap(({ kind, to }) => (kind === 'style' || kind === 'attribute' ? to.filter(({ run }) => run === null) : []))
      .map(({ path }) => path.join('.')),
  )
  const isExplained = ({ before, after }: BlockPair): boolean =>
    before === null ||
    after === null ||
    explained.has(keyOf(after)) ||
    explained.has(keyOf(before)) ||
    outerPaths(after).some((path) => paths.has(path))
  const different = new Set<number>()
  for (const [at, count] of blocks.entries()) if (count >= seenPx) different.add(at)
  for (const box of rest) {
    const owner = ownerOf(box, pairs, boxes)
    if (owner !== null) different.add(owner)
  }
  for (const at of different) {
    const pair = pairs[at]
    if (pair === undefined || isExplained(pair)) different.delete(at)
  }
  return withContainers(pairs, boxes, different).map((at) => lookOf(pairs[at]))
}

/** The places around one, and it itself if it is an element. */
const outerPaths = ({ path }: BlockPlace): readonly string[] => path.map((_, at) => path.slice(0, at + 1).join('.'))

const isNear = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width + beside.x &&
  other.x < one.x + one.width + beside.x &&
  one.y < other.y + other.height + beside.y &&
  other.y < one.y + one.height + beside.y

const holds = (outer: Box, inner: Box): boolean =>
  outer.x <= inner.x + 1 &&
  outer.y <= inner.y + 1 &&
  outer.x + outer.width >= inner.x + inner.width - 1 &&
  outer.y + outer.height >= inner.y + inner.height - 1

/** Whose pixels lie outside of all blocks: of the block beside them, else of the smallest container around them. */
function ownerOf(box: Box, pairs: readonly BlockPair[], boxes: readonly BoxPair[]): number | null {
  let [owner, size] = [null as number | null, Infinity]
  for (const [at, { after, isOuter }] of boxes.entries()) {
    if (after === null) continue
    if (!isOuter && isNear(box, after) && box.width * box.height <= 4 * after.width * after.height) return at
    const area = after.width * after.height
    if (isOuter && pairs[at]?.after != null && holds(after, box) && area < size) [owner, size] = [at, area]
  }
  return owner
}

/** Containers in place of all that is in them, the outermost first. */
function withContainers(
  pairs: readonly BlockPair[],
  boxes: readonly BoxPair[],
  different: ReadonlySet<number>,
): readonly number[] {
  const counts = new Map<string, { all: number; different: number }>()
  for (const [at, { after, isOuter }] of pairs.entries()) {
    if (after === null || isOuter || boxes[at]?.after == null) continue
    for (const path of outerPaths(after).slice(0, after.run === null ? -1 : undefined)) {
      const count = counts.get(path) ?? { all: 0, different: 0 }
      count.all += 1
      if (different.has(at)) count.different += 1
      counts.set(path, count)
    }
  }
  const whole = new Set(
    [...counts].flatMap(([path, count]) => (count.all > 1 && count.all === count.different ? path : [])),
  )
  const found: number[] = []
  const taken = new Set<string>()
  for (const [at, { after, isOuter }] of pairs.entries()) {
    if (after === null) continue
    const path = after.path.join('.')
    const outer = outerPaths(after)
    if (outer.slice(0, after.run === null ? -1 : undefined).some((each) => taken.has(each))) continue
    if (isOuter && (whole.has(path) || different.has(at))) {
      found.push(at)
      if (whole.has(path)) taken.add(path)
    } else if (!isOuter && different.has(at)) found.push(at)
  }
  return found
}

const lookOf = (pair: BlockPair | undefined): Change => ({
  kind: 'look',
  block: pair?.kind ?? 'container',
  before: pair?.text ?? '',
  after: pair?.text ?? '',
  words: { added: 0, removed: 0 },
  from: pair?.before == null ? [] : [pair.before],
  to: pair?.after == null ? [] : [pair.after],
  behind: null,
  isWithPrevious: false,
  removedRanges: [],
  addedRanges: [],
  details: [],
  files: [],
  of: null,
  did: 'look',
})

/** A part of both pages that lies at the same height in a picture of both, in pixels. */
export interface Band {
  readonly before: { readonly top: number; readonly height: number }
  readonly after: { readonly top: number; readonly height: number }
}

/** Cuts two pages where their blocks move apart, so that what belongs together lies at the same height. */
export function bandsOf(boxes: readonly BoxPair[], beforeHeight: number, afterHeight: number): readonly Band[] {
  const cuts = [{ before: 0, after: 0 }]
  const inPlace = boxes
    .flatMap(({ before, after, isMoved }) =>
      before === null || after === null || isMoved ? [] : { before: before.y, after: after.y },
    )
    .toSorted((one, other) => one.after - other.after)
  for (const at of inPlace) {
    const last = cuts.at(-1) ?? at
    const isAhead =
      at.before > last.before && at.after > last.after && at.before < beforeHeight && at.after < afterHeight
    if (isAhead && Math.abs(at.after - at.before - (last.after - last.before)) > 1) cuts.push(at)
  }
  return cuts.map((cut, number) => {
    const next = cuts[number + 1] ?? { before: beforeHeight, after: afterHeight }
    return {
      before: { top: cut.before, height: Math.max(0, next.before - cut.before) },
      after: { top: cut.after, height: Math.max(0, next.after - cut.after) },
    }
  })
}
