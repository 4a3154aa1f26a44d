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
  readonly pictures: PagePictures
  readonly looks: readonly Change[]
  readonly isEqual: boolean
  readonly bytes: ReadonlyMap<string, Uint8Array>
}

/**
 * Pictures of whole pages, and what differs in them. They are made one pair after the other and kept in memory, by the
 * versions, which never change, the fonts, and the parts that are not compared.
 */
export function createPagePictures(ports: Ports) {
  const { index, reviewing, ignored } = ports
  const kept = new Map<string, Made>()
  let last: Promise<unknown> = Promise.resolve()
  let isStopped = false

  const keyOf = ({ site, materialId, before, after, inTheme }: OldAndNew, width: number): string =>
    JSON.stringify([
      [site, materialId, before, after, width],
      inTheme && index.publishing.of(site),
      index.snapshots.newest(site)?.css ?? null,
      ignored.key({ site, materialId }),
    ])

  function keep(key: string, made: Made): void {
    kept.delete(key)
    kept.set(key, made)
    let bytes = 0
    for (const each of [...kept.values()].toReversed())
      for (const picture of each.bytes.values()) bytes += picture.length
    for (const [oldest, { bytes: pictures }] of kept) {
      if (bytes <= bytesAtMost || oldest === key) break
      kept.delete(oldest)
      for (const picture of pictures.values()) bytes -= picture.length
    }
  }

  async function make(pair: OldAndNew, width: number): Promise<Answer<Made>> {
    const { site, materialId, before, after } = pair
    if ([before, after].some((id) => index.versions.parts(site, materialId, id) === null))
      return fail({ code: 'unknown_version' })
    const key = keyOf(pair, width)
    const known = kept.get(key)
    // A page whose process ends while it is captured has no pictures.
    const made = known === undefined ? await makePictures(ports, pair, width).catch(() => gone) : ok(known)
    if (made.ok && !isStopped) keep(key, made.value)
    return made
  }

  function ask(pair: OldAndNew, width: number): Promise<Answer<Made>> {
    const made = last.then(() => (isStopped ? gone : make(pair, width)))
    last = made.catch(() => null)
    return made
  }

  return {
    /** Both pages of a pair as pictures of one width. */
    async at(pair: OldAndNew, width: number): Promise<Answer<PagePictures>> {
      const made = await ask(pair, width)
      return made.ok ? ok(made.value.pictures) : made
    },
    /**
     * What looks different at some width, without a theme, although nothing changed in it; the same block once. Records whether both versions
     * look the same. Nothing is made, found or recorded once it is not wanted.
     */
    async looks(pair: OldAndNew, isWanted: () => boolean): Promise<readonly Change[]> {
      const found = new Map<string, Change>()
      const leftOut = ignored.key(pair)
      let isEqual = true
      for (const width of widths) {
        const made = isWanted() ? await ask({ ...pair, inTheme: false }, width) : gone
        if (!made.ok) return []
        isEqual &&= made.value.isEqual
        for (const look of made.value.looks) {
          const place = JSON.stringify(look.to)
          found.set(place, found.get(place) ?? look)
        }
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
      for (const { bytes } of kept.values()) {
        const png = bytes.get(id)
        if (png !== undefined) return Promise.resolve(new Response(new Uint8Array(png), { headers }))
      }
      return Promise.resolve(new Response(null, { status: 404 }))
    },
    stop(): void {
      isStopped = true
      kept.clear()
    },
  }
}

const headers = {
  'content-type': 'image/png',
  'cache-control': 'private, max-age=3600',
  'x-content-type-options': 'nosniff',
}

export type PagePictureStore = ReturnType<typeof createPagePictures>

/** Loads both pages, captures them side by side, and compares them. */
async function makePictures(
  { pages, reviewing, compare, ignored, wholePages, background, capture }: Ports,
  pair: OldAndNew,
  width: number,
): Promise<Answer<Made>> {
  const { site, materialId, before, after, inTheme } = pair
  const [one, other, pairs, compared, ignoredBefore, ignoredAfter] = await Promise.all([
    pages.make({ site, materialId, versionId: before }, inTheme),
    pages.make({ site, materialId, versionId: after }, inTheme),
    reviewing.blocks({ site, materialId, from: before, to: after }),
    compare(pair),
    ignored.places({ site, materialId, versionId: before }),
    ignored.places({ site, materialId, versionId: after }),
  ])
  for (const each of [one, other, pairs, compared]) if (!each.ok) return each
  if (!one.ok || !other.ok || !pairs.ok || !compared.ok) return gone
  const changes = compared.value?.changes ?? []
  const [placesBefore, placesAfter] = [
    pairs.value.flatMap(({ before }) => before ?? []),
    pairs.value.flatMap(({ after }) => after ?? []),
  ]
  const captured = await capture(one.value, (old) =>
    capture(other.value, (now) =>
      Promise.all([
        old.at(width, [...placesBefore, ...ignoredBefore]),
        now.at(width, [...placesAfter, ...ignoredAfter]),
      ]),
    ),
  )
  if (captured == null) return gone
  const [first, second] = captured
  if (width === viewportWidths.desktop && !inTheme)
    for (const [versionId, page] of [
      [before, first],
      [after, second],
    ] as const)
      await wholePages.keep({ site, materialId, versionId }, page).catch(() => undefined)
  const differences = await background.run('comparePictures', {
    before: first,
    after: second,
    pairs: pairs.value,
    changes,
  })
  return ok(madeOf(width, [first, second], differences))
}

/** Gives each picture an address. */
function madeOf(
  width: number,
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
  const pictures = { width, before: picture(before), after: picture(after), bands, masks: masks.map(kept), share }
  return { pictures, looks, isEqual, bytes }
}
