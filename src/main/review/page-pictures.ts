import { randomUUID } from 'node:crypto'
import type { Change } from '@galley/compare'
import type { IndexReads, Reviewing } from '@galley/library'
import type { Answer } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { VersionId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { ComparedPair } from '../../ipc/desk.ts'
import type { PagePicture, PagePictures, PictureSlice } from '../../ipc/page-pictures.ts'
import { pagePictureUrl, readPagePictureUrl, viewportWidths } from '../../ipc/page-pictures.ts'
import type { Capture, CapturedPage, CapturedSlice, ComparedPictures } from './compare-pictures.ts'
import type { Comparisons } from './comparisons.ts'
import type { Ignored } from './ignored.ts'
import type { ReviewJobs } from './jobs.ts'
import type { VersionPage, VersionPages } from './version-pages.ts'
import type { WholePages } from './whole-pages.ts'

/** A pair of which both versions exist. */
export type OldAndNew = ComparedPair & { readonly before: VersionId }

interface Ports {
  readonly index: IndexReads
  readonly pages: VersionPages
  readonly reviewing: Pick<Reviewing, 'blocks' | 'looked'>
  readonly compare: Comparisons
  readonly ignored: Pick<Ignored, 'key' | 'places' | 'waits'>
  readonly wholePages: Pick<WholePages, 'keep'>
  readonly background: Background<ReviewJobs>
  /** Loads a page for captures; null if that fails. */
  readonly capture: <Out>(page: VersionPage, use: (capture: Capture) => Promise<Out>) => Promise<Out | null>
  readonly log: (line: string) => void
}

/** Pictures in memory: more of them are made again. */
const bytesAtMost = 192 * 1024 ** 2
const widths = Object.values(viewportWidths).toReversed()
const gone = fail({ code: 'unexpected' } as const)

/** Pictures of a pair at one width, with their bytes. */
interface Made {
  readonly isWhole: boolean
  readonly pictures: PagePictures
  readonly looks: readonly Change[]
  readonly isEqual: boolean
  readonly bytes: ReadonlyMap<string, Uint8Array>
}

interface Making {
  /** The first screen of both pages, or all of them. */
  readonly first: Promise<Answer<Made>>
  readonly whole: Promise<Answer<Made>>
  /** Pictures are made until nobody wants them. */
  readonly askers: Set<() => boolean>
}

/**
 * Pictures of whole pages, and what differs in them. They are made one pair after the other and kept in memory, by the
 * versions, which never change, the fonts, and the parts that are not compared.
 */
export function createPagePictures(ports: Ports) {
  const { index, reviewing, ignored } = ports
  const kept = createKept()
  let isStopped = false

  const keyOf = ({ site, materialId, before, after, inTheme }: OldAndNew, width: number): string =>
    JSON.stringify([
      [site, materialId, before, after, width],
      inTheme && index.publishing.of(site),
      index.snapshots.newest(site)?.css ?? null,
      ignored.key({ site, materialId }),
    ])

  async function make(pair: OldAndNew, width: number, progress: Progress): Promise<Answer<Made>> {
    const { site, materialId, before, after } = pair
    if ([before, after].some((id) => index.versions.parts(site, materialId, id) === null))
      return fail({ code: 'unknown_version' })
    const key = keyOf(pair, width)
    const known = kept.get(key)
    // A page whose process ends while it is captured has no pictures.
    const made = known === undefined ? await makePictures(ports, pair, width, progress).catch(() => gone) : ok(known)
    if (made.ok && !isStopped) kept.keep(key, made.value)
    return made
  }
  const queue = createQueue(() => isStopped)
  const ask = (pair: OldAndNew, width: number, isWanted: () => boolean): Making =>
    queue(keyOf(pair, width), isWanted, (progress) => make(pair, width, progress))

  return {
    /** Both pages of a pair as pictures of one width, or of their first screens if these are there earlier. */
    async at(
      pair: OldAndNew,
      { width, isFirst }: { readonly width: number; readonly isFirst: boolean },
      isWanted: () => boolean,
    ): Promise<Answer<PagePictures>> {
      const made = await ask(pair, width, isWanted)[isFirst ? 'first' : 'whole']
      if (!made.ok) return made
      if (!made.value.isWhole) kept.showFirst(made.value)
      return ok(made.value.pictures)
    },
    /**
     * What looks different at some width, without a theme, although nothing changed in it; the same block once. Records whether both versions
     * look the same. Nothing is made, found or recorded once it is not wanted.
     *
     * @param tell Given what was found so far: in the first screen, then at one width after the other
     */
    async looks(
      pair: OldAndNew,
      isWanted: () => boolean,
      tell: (looks: readonly Change[]) => void = () => undefined,
    ): Promise<readonly Change[]> {
      const found = new Map<string, Change>()
      const leftOut = ignored.key(pair)
      let isEqual = true
      for (const width of widths) {
        if (!isWanted()) return []
        const { first, whole } = ask({ ...pair, inTheme: false }, width, isWanted)
        const screen = await first
        if (found.size === 0 && screen.ok) tell(screen.value.looks)
        const made = await whole
        if (!made.ok) return []
        isEqual &&= made.value.isEqual
        for (const look of made.value.looks) {
          const place = JSON.stringify(look.to)
          found.set(place, found.get(place) ?? look)
        }
        tell([...found.values()])
      }
      const { site, materialId, before, after } = pair
      // The ignored parts may have changed during the comparison, so its result no longer counts.
      if (ignored.key(pair) === leftOut && !ignored.waits(pair))
        await reviewing.looked({ site, materialId, from: before, to: after }, isEqual)
      return [...found.values()]
    },
    /** Answers requests for pictures; null for any other URL. */
    answer(url: string, method: string): Promise<Response> | null {
      const id = readPagePictureUrl(url)
      if (id === null || method !== 'GET') return null
      const png = kept.find(id)
      return Promise.resolve(
        png === undefined ? new Response(null, { status: 404 }) : new Response(new Uint8Array(png), { headers }),
      )
    },
    stop(): void {
      isStopped = true
      kept.clear()
    },
  }
}

/** Pictures in memory, with the first screens that were shown last. */
function createKept() {
  const kept = new Map<string, Made>()
  let first: Made['bytes'] = new Map()
  return {
    get: (key: string) => kept.get(key),
    keep(key: string, made: Made): void {
      kept.delete(key)
      kept.set(key, made)
      let bytes = 0
      for (const each of kept.values()) for (const picture of each.bytes.values()) bytes += picture.length
      for (const [oldest, { bytes: pictures }] of kept) {
        if (bytes <= bytesAtMost || oldest === key) break
        kept.delete(oldest)
        for (const picture of pictures.values()) bytes -= picture.length
      }
    },
    showFirst({ bytes }: Made): void {
      first = bytes
    },
    find(id: string): Uint8Array | undefined {
      for (const bytes of [first, ...[...kept.values()].map(({ bytes }) => bytes)]) {
        const png = bytes.get(id)
        if (png !== undefined) return png
      }
      return undefined
    },
    clear: () => kept.clear(),
  }
}

/** Makes pictures one after the other, those of one key once for all who want them. */
function createQueue(isStopped: () => boolean) {
  const making = new Map<string, Making>()
  let last: Promise<unknown> = Promise.resolve()
  return (key: string, isWanted: () => boolean, make: (progress: Progress) => Promise<Answer<Made>>): Making => {
    const known = making.get(key)
    known?.askers.add(isWanted)
    if (known !== undefined) return known
    const askers = new Set([isWanted])
    const forget = (): void => {
      if (making.get(key) === made) making.delete(key)
    }
    const isAnyWanted = (): boolean => {
      const isAny = !isStopped() && [...askers].some((isWanted) => isWanted())
      // Whoever asks from now on begins anew.
      if (!isAny) forget()
      return isAny
    }
    const seen = Promise.withResolvers<Answer<Made>>()
    const progress = { isWanted: isAnyWanted, onFirst: (screens: Made) => seen.resolve(ok(screens)) }
    const whole = last.then(() => (isAnyWanted() ? make(progress) : gone)).finally(forget)
    const made = { first: Promise.race([seen.promise, whole]), whole, askers }
    making.set(key, made)
    for (const each of [made.first, whole]) each.catch(() => null)
    last = whole.catch(() => null)
    return made
  }
}

const headers = {
  'content-type': 'image/png',
  'cache-control': 'private, max-age=3600',
  'x-content-type-options': 'nosniff',
}

export type PagePictureStore = ReturnType<typeof createPagePictures>

interface Progress {
  readonly isWanted: () => boolean
  readonly onFirst: (made: Made) => void
}

/** Loads both pages, captures them side by side, and compares them: their first screens while the rest is captured. */
async function makePictures(
  { pages, reviewing, compare, ignored, wholePages, background, capture }: Ports,
  pair: OldAndNew,
  width: number,
  progress: Progress,
): Promise<Answer<Made>> {
  const { site, materialId, before, after, inTheme } = pair
  const [one, other, pairs, known, ignoredBefore, ignoredAfter] = await Promise.all([
    pages.make({ site, materialId, versionId: before }, inTheme),
    pages.make({ site, materialId, versionId: after }, inTheme),
    reviewing.blocks({ site, materialId, from: before, to: after }),
    compare(pair),
    ignored.places({ site, materialId, versionId: before }),
    ignored.places({ site, materialId, versionId: after }),
  ])
  for (const each of [one, other, pairs, known]) if (!each.ok) return each
  if (!one.ok || !other.ok || !pairs.ok || !known.ok) return gone
  const changes = known.value?.changes ?? []
  const blocks = pairs.value
  const [placesBefore, placesAfter] = [
    blocks.flatMap(({ before }) => before ?? []),
    blocks.flatMap(({ after }) => after ?? []),
  ]
  async function compared(before: CapturedPage, after: CapturedPage, isWhole: boolean): Promise<Made> {
    const found = await background.run('comparePictures', { before, after, pairs: blocks, changes })
    return madeOf({ width, isWhole }, [before, after], found)
  }
  const { isWanted, onFirst } = progress
  const screens = [Promise.withResolvers<CapturedPage>(), Promise.withResolvers<CapturedPage>()] as const
  void Promise.all([screens[0].promise, screens[1].promise])
    .then(async ([old, now]) => (old.isCut || now.isCut) && onFirst(await compared(old, now, false)))
    .catch(() => undefined)
  const captured = await capture(one.value, (old) =>
    capture(other.value, (now) =>
      Promise.all([
        old.at(width, [...placesBefore, ...ignoredBefore], { isWanted, onFirst: screens[0].resolve }),
        now.at(width, [...placesAfter, ...ignoredAfter], { isWanted, onFirst: screens[1].resolve }),
      ]),
    ),
  )
  if (captured == null) return gone
  const [first, second] = captured
  async function keepForReports(): Promise<void> {
    if (width !== viewportWidths.desktop || inTheme) return
    for (const [versionId, page] of [
      [before, first],
      [after, second],
    ] as const)
      await wholePages.keep({ site, materialId, versionId }, page).catch(() => undefined)
  }
  const [made] = await Promise.all([compared(first, second, true), keepForReports()])
  return ok(made)
}

/** Gives each picture an address. */
function madeOf(
  { width, isWhole }: { readonly width: number; readonly isWhole: boolean },
  [before, after]: readonly [CapturedPage, CapturedPage],
  { bands, changed, total, masks, looks, isEqual }: ComparedPictures,
): Made {
  const bytes = new Map<string, Uint8Array>()
  const kept = ({ top, png }: CapturedSlice): PictureSlice => {
    const id = randomUUID()
    bytes.set(id, png)
    return { top, url: pagePictureUrl(id) }
  }
  const picture = ({ height, slices, layer, isCut }: CapturedPage): PagePicture => ({
    height,
    isCut,
    // What does not scroll is shown on the first screen.
    slices: slices.map((slice, at) => kept(at === 0 && layer !== null ? layer : slice)),
  })
  const share = total === 0 ? 0 : changed / total
  const pages = { before: picture(before), after: picture(after) }
  const pictures = { width, isWhole, ...pages, bands, masks: masks.map(kept), share }
  return { isWhole, pictures, looks, isEqual, bytes }
}
