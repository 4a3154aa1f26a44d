import type { Answer } from '@galley/library/records'
import type { VersionId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { Change, ComparedPair, DeskPage } from '../../ipc/desk.ts'
import type { PageEnd } from '../../ipc/review-window.ts'
import type { Comparisons } from '../review/comparisons.ts'
import type { VersionPages } from '../review/version-pages.ts'
import type { MarkedSide } from './marks.ts'
import { alignTo, drawMarks, marksOf } from './marks.ts'
import type { PageView, Quarantine } from './quarantine.ts'
import { createScrollSync } from './scroll-sync.ts'

export interface DeskPagePorts {
  readonly pages: VersionPages
  readonly quarantine: Quarantine
  readonly compare: Comparisons
  /** Called for each view before its page is loaded. */
  readonly prepare: (view: PageView) => void
  /** Called for each view before it is closed. */
  readonly release: (view: PageView) => void
  /** Called when the process of a page ended, with the pair that was asked for. */
  readonly onEnd: (pair: ComparedPair, why: PageEnd) => void
  /** Called with the name of a file that a page requested and the disk has lost. */
  readonly onLostFile: (versionId: VersionId, name: string) => void
}

/** A page of the desk with the views of its two versions. */
export interface LoadedPage {
  readonly pair: ComparedPair
  readonly now: PageView
  /** Null: there is nothing to compare it with. */
  readonly before: PageView | null
  readonly page: DeskPage
  /** Names of its files that the disk has lost, so far. */
  readonly lost: readonly string[]
  /** Whether the two scroll together, by what belongs together in them. */
  syncScroll(on: boolean): void
  /** Resolves when its views are closed, whose scripts then never answer. */
  readonly closed: Promise<unknown>
}

interface OpenedPage {
  readonly hasImages: boolean
  readonly loaded: Promise<Answer<LoadedPage>>
  close(): void
}

const closedMark = Symbol('closed')
const gone = fail({ code: 'unexpected' } as const)

/** Opens the views of a page and loads it with its marks. */
function openPage(
  { pages, quarantine, compare, prepare, release, onEnd, onLostFile }: DeskPagePorts,
  pair: ComparedPair,
  hasImages: boolean,
): OpenedPage {
  const views: PageView[] = []
  const lost: string[] = []
  let isClosed = false
  let markClosed = (_mark: typeof closedMark): void => undefined
  const closed = new Promise<typeof closedMark>((resolve) => (markClosed = resolve))

  function close(): void {
    isClosed = true
    markClosed(closedMark)
    for (const view of views.splice(0)) {
      release(view)
      view.close()
    }
  }

  async function openView(): Promise<PageView> {
    const view = await quarantine.pageView()
    if (isClosed) {
      view.close()
      throw new Error('The page was closed before it was loaded')
    }
    views.push(view)
    prepare(view)
    view.onEnd((why) => {
      onEnd(pair, why)
      close()
    })
    return view
  }

  async function show(view: PageView, versionId: VersionId): Promise<Answer<DeskPage>> {
    const made = await pages.make({ ...pair, versionId }, pair.inTheme)
    if (!made.ok) return made
    view.onLostFile((name) => {
      if (versionId !== pair.after) return
      lost.push(name)
      onLostFile(versionId, name)
    })
    const isShown = await view.show(made.value, hasImages)
    return isShown ? ok({ ...made.value.shown, compared: null, marks: [], lost: [] }) : gone
  }

  async function load(): Promise<Answer<LoadedPage>> {
    const now = await openView()
    const before = pair.before === null ? null : await openView()
    const contents = [now, ...(before === null ? [] : [before])].map(({ view }) => view.webContents)
    const scroll = createScrollSync(contents, false, alignTo)
    const [compared, shown, older] = await Promise.all([
      compare(pair),
      show(now, pair.after),
      before === null || pair.before === null ? null : show(before, pair.before),
    ])
    if (!compared.ok) return compared
    if (!shown.ok) return shown
    if (older?.ok === false) return older
    const page = await marked(now, { ...shown.value, compared: compared.value }, 'now')
    if (before !== null) await marked(before, page, 'before')
    return ok({ pair, now, before, page, lost, syncScroll: scroll.turn, closed })
  }

  const loaded = Promise.race([load(), closed]).then((done) => (done === closedMark ? gone : done))
  return { hasImages, loaded, close }
}

/** Draws all changes of a page on both sides, in place of those that are drawn. */
export async function markAnew({ now, before, page }: LoadedPage, changes: readonly Change[]): Promise<DeskPage> {
  if (page.compared === null) return page
  const marks = { ...page, compared: { ...page.compared, changes } }
  const shown = await marked(now, marks, 'now')
  if (before !== null) await marked(before, marks, 'before')
  return shown
}

async function marked({ view }: PageView, page: DeskPage, side: MarkedSide): Promise<DeskPage> {
  const changes = page.compared?.changes ?? []
  return { ...page, marks: await drawMarks(view.webContents, marksOf(changes, side), side) }
}

/** Loads pages with their marks, each once, and keeps those that are wanted. */
export function createDeskPages(ports: DeskPagePorts) {
  const kept = new Map<string, OpenedPage>()
  const keyOf = ({ site, materialId, before, after, inTheme }: ComparedPair): string =>
    JSON.stringify([site, materialId, before, after, inTheme])
  const { onEnd } = ports

  return {
    /** The page, loaded now unless it already is; with or without its images. */
    load(pair: ComparedPair, hasImages: boolean): Promise<Answer<LoadedPage>> {
      const key = keyOf(pair)
      const known = kept.get(key)
      if (known?.hasImages === hasImages) return known.loaded
      known?.close()
      const forget = (): void => {
        if (kept.get(key) === opened) kept.delete(key)
      }
      const opened = openPage(
        {
          ...ports,
          onEnd(ended, why) {
            forget()
            onEnd(ended, why)
          },
        },
        pair,
        hasImages,
      )
      kept.set(key, opened)
      // A page that could not be loaded is tried again when it is asked for.
      const giveUp = (): void => {
        forget()
        opened.close()
      }
      opened.loaded.then((answer) => answer.ok || giveUp(), giveUp)
      return opened.loaded
    },
    /** Closes all pages but these. */
    keep(pairs: readonly ComparedPair[]): void {
      const wanted = new Set(pairs.map(keyOf))
      for (const [key, { close }] of kept)
        if (!wanted.has(key)) {
          kept.delete(key)
          close()
        }
    },
  }
}
