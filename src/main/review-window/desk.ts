import type { KeyPress } from '@galley/look'
import { ok } from '@galley/wire'
import type { BrowserWindow } from 'electron'

import type { HandlersOf } from '../../ipc/call.ts'
import type { Change, ComparedPair, deskCalls, DeskEvents, DeskSide } from '../../ipc/desk.ts'
import { isKeyOfPage } from '../../ipc/review-window.ts'
import { keyPressOf } from '../electron/key-press.ts'
import type { Push } from '../electron/serve.ts'
import type { PagePictureStore } from '../review/page-pictures.ts'
import { noteHandlers } from './desk-notes.ts'
import type { DeskPagePorts, LoadedPage } from './desk-pages.ts'
import { createDeskPages, markAnew } from './desk-pages.ts'
import { createDeskViews } from './desk-views.ts'
import type { DeskViews } from './desk-views.ts'
import { alignTo, painted } from './marks.ts'
import type { PageView } from './quarantine.ts'

export interface DeskPorts extends Omit<DeskPagePorts, 'prepare' | 'release' | 'onEnd' | 'onLostFile'> {
  readonly pictures: PagePictureStore
  readonly window: BrowserWindow
  /** Tells the page of this window alone. */
  readonly push: Push<DeskEvents>
  /** Handles a key in place of the page of the window; returns whether it did. */
  readonly keep: (pressed: KeyPress) => boolean
}

/** The calls that are the same for every window are in `reviews.ts`. */
type OwnCalls = Omit<
  typeof deskCalls,
  'saveVersion' | 'compareTexts' | 'showHealth' | 'openInEditor' | 'exportVersion' | 'ignoredParts' | 'partOfPage'
>

/**
 * Keys of the desk: a letter or a digit. All others may open something in the window, which needs the focus. So does space:
 * Chromium tells nobody that a key was released whose press was kept from the page.
 */
const staysInPage = /^[\p{L}\p{N}]$/u
const modifiers: ReadonlySet<string> = new Set(['Control', 'Alt', 'AltGraph', 'Meta', 'Shift'])

/**
 * The pages of the review desk of one window, as isolated views in it. Those that are loaded for later lie below the shown
 * one, so that they have their size before they are asked for.
 */
export function createDesk({ window, push, pictures, keep, ...ports }: DeskPorts) {
  const views = createDeskViews(window)
  const keys = createKeys(views, { window, push, keep })
  const pages = createDeskPages({
    ...ports,
    prepare(view) {
      view.view.setBackgroundColor('#ffffff')
      views.prepare(view)
      keys.pass(view)
    },
    release: views.release,
    onLostFile: (versionId, name) => push('deskFileLost', { versionId, name }),
    onEnd(pair, why) {
      const isRead = views.shown()?.pair === pair || isSamePair(pair, wanted)
      views.forget(pair)
      if (isRead) push('deskPageDied', { versionId: pair.after, why })
    },
  })
  const report = createReport(views, push)
  const lookAt = createLooks({ pictures, push })
  let turn = 0
  const untilNext =
    (asked = turn) =>
    () =>
      asked === turn
  /** What was asked for last. */
  let wanted: ComparedPair | null = null

  function close(): null {
    turn += 1
    wanted = null
    views.show(null)
    pages.keep([])
    return null
  }
  window.on('closed', close)

  const handlers: HandlersOf<OwnCalls> = {
    async showDeskPage({ page, next: ahead, hasImages }) {
      const asked = (turn += 1)
      wanted = page
      const kept = views.shown()?.pair
      pages.keep([...(kept === undefined ? [] : [kept]), page, ...ahead])
      const loaded = await pages.load(page, hasImages)
      if (asked !== turn) return ok(null)
      if (!loaded.ok) return loaded
      views.show(loaded.value)
      pages.keep([page, ...ahead])
      const isShown = (): boolean => asked === turn
      void report()
        .then(() => loadAhead(ahead, { pages, views }, isShown))
        .then(() => lookAt(loaded.value, isShown))
        .catch(() => null)
      return ok({ ...loaded.value.page, lost: [...new Set(loaded.value.lost)] })
    },
    lookAgain() {
      const shown = views.shown()
      if (shown !== null) void lookAt(shown, untilNext()).catch(() => null)
      return null
    },
    deskPictures: ({ width, isFirst, ...pair }) => pictures.at(pair, { width, isFirst }, untilNext()),
    async showDeskSide({ side }) {
      if (await turnTo(views, side)) keys.giveBack()
      return null
    },
    placeDesk({ place, width }) {
      views.place(place, width)
      void report()
      return null
    },
    leaveDesk: close,
    ...noteHandlers(views, window),
  }
  return {
    handlers,
    stop(): void {
      window.off('closed', close)
      close()
    },
  }
}

const isSamePair = (one: ComparedPair, other: ComparedPair | null): boolean =>
  one.site === other?.site &&
  one.materialId === other.materialId &&
  one.before === other.before &&
  one.after === other.after &&
  one.inTheme === other.inTheme

/** Pages on whose marks are changes that only pixels tell. */
const looked = new WeakSet<LoadedPage['pair']>()

/** Loads the next pages below the one that is shown, as long as it is. */
async function loadAhead(
  pairs: readonly ComparedPair[],
  { pages, views }: { readonly pages: ReturnType<typeof createDeskPages>; readonly views: DeskViews },
  isShown: () => boolean,
): Promise<void> {
  for (const pair of pairs) {
    if (!isShown()) return
    const loaded = await pages.load(pair, true)
    if (loaded.ok && isShown()) views.putBelow(loaded.value)
  }
}

/** Looks at a page as long as it is shown, or until one is looked at again. */
function createLooks(ports: Pick<DeskPorts, 'pictures' | 'push'>) {
  let last = 0
  return (page: LoadedPage, isShown: () => boolean): Promise<void> => {
    const own = (last += 1)
    return look(page, ports, () => isShown() && own === last)
  }
}

/** Adds what only pixels tell to the changes of a page as it is found, as long as it is shown. */
async function look(
  { pair, page, ...loaded }: LoadedPage,
  { pictures, push }: Pick<DeskPorts, 'pictures' | 'push'>,
  isShown: () => boolean,
): Promise<void> {
  const { before } = pair
  const { compared: known } = page
  if (before === null || known === null) return
  let told = '[]'
  let last: Promise<unknown> = Promise.resolve()
  async function mark(changes: readonly Change[]): Promise<void> {
    if (!isShown()) return
    const { compared, marks } = await markAnew({ ...loaded, pair, page }, changes)
    if (isShown() && compared !== null) push('deskLooked', { versionId: pair.after, changes: compared.changes, marks })
  }
  /** One after the other. */
  function tell(looks: readonly Change[]): void {
    if (told === JSON.stringify(looks)) return
    told = JSON.stringify(looks)
    looked.add(pair)
    last = last.then(() => mark([...(known?.changes ?? []), ...looks]))
  }
  // What was found before stays until all of it was compared anew.
  const isAnew = looked.has(pair)
  const looks = await pictures.looks({ ...pair, before }, isShown, isAnew ? undefined : tell)
  if (isAnew) told = ''
  if (isShown()) tell(looks)
  await last
}

/** Shows another side of the page at the same change; returns whether it is one with the version under review. */
async function turnTo(views: DeskViews, side: DeskSide): Promise<boolean> {
  const shown = views.shown()
  if (shown === null || shown.before === null || side === views.side()) return false
  const [now, before] = [shown.now.view.webContents, shown.before.view.webContents]
  await (side === 'now' ? alignTo(before, now) : alignTo(now, before)).catch(() => null)
  shown.syncScroll(side === 'both')
  views.showSide(side)
  return side !== 'before'
}

/** Reports a shown page once it is painted, for which it needs a place. */
function createReport(views: DeskViews, push: Push<DeskEvents>): () => Promise<void> {
  let reported = 0
  return async () => {
    const [page, showing] = [views.shown(), views.showing()]
    if (page === null || showing === reported || !views.isPlaced()) return
    reported = showing
    await Promise.race([painted(page.now.view.webContents).catch(() => null), page.closed])
    if (views.showing() === showing) push('deskPainted', { versionId: page.pair.after })
  }
}

/** Passes keys that a page does not use to the window, and the focus with those that may open something there. */
function createKeys(views: DeskViews, { window, push, keep }: Pick<DeskPorts, 'window' | 'push' | 'keep'>) {
  /** Whether the page had the focus when the key was pressed that shows it as it was. */
  let isHeldFromPage = false
  return {
    pass({ view: { webContents } }: PageView): void {
      webContents.on('before-input-event', (event, input) => {
        const pressed = keyPressOf(input)
        const isSpace = pressed.key === ' '
        if (input.type !== 'keyDown' || modifiers.has(pressed.key) || (isKeyOfPage(pressed) && !isSpace)) return
        event.preventDefault()
        if (keep(pressed)) return
        const isPlain = !pressed.ctrlKey && !pressed.metaKey && !pressed.altKey && staysInPage.test(pressed.key)
        if (!isPlain) window.webContents.focus()
        isHeldFromPage = isSpace
        push('deskKey', { ...pressed, isRepeated: input.isAutoRepeat })
      })
    },
    /** Gives the focus back that was taken while the page is shown as it was. */
    giveBack(): void {
      if (isHeldFromPage && views.isPlaced()) views.shownViews().at(-1)?.view.webContents.focus()
      isHeldFromPage = false
    },
  }
}
