import { quoteMaxChars } from '@galley/library/records'
import type { BrowserWindow } from 'electron'

import type { HandlersOf } from '../../ipc/call.ts'
import type { Change, CommentSubject, deskCalls } from '../../ipc/desk.ts'
import { lowContrastIn } from './contrast.ts'
import type { DeskViews } from './desk-views.ts'
import { chooseMark } from './marks.ts'
import { goToPlace, inSightOf, pickedIn, pinComments } from './page-notes.ts'
import type { Picked } from './page-notes.ts'

type NoteCalls = Pick<
  typeof deskCalls,
  'findCommentSubject' | 'pinDeskComments' | 'measureContrast' | 'goToDeskPlace' | 'goToDeskChange' | 'focusDesk'
>

/** The calls of the desk about places of its page: its changes, what is selected there, and where comments are. */
export function noteHandlers(views: DeskViews, window: BrowserWindow): HandlersOf<NoteCalls> {
  const sides = () => {
    const page = views.shown()
    if (page === null) return []
    const { now, before, pair } = page
    const shown = new Set(views.shownViews())
    return [
      { view: now, versionId: pair.after },
      ...(before === null || pair.before === null ? [] : [{ view: before, versionId: pair.before }]),
    ].filter(({ view }) => shown.has(view))
  }
  async function subjectIn(find: typeof pickedIn): Promise<CommentSubject | null> {
    const isBeside = views.side() === 'both'
    const asked = sides().filter(({ view }) => isBeside || view === views.shownViews().at(-1))
    for (const { view, versionId } of asked) {
      const found = await find(view.view.webContents).catch(() => null)
      if (found !== null) return { ...found, versionId }
    }
    return null
  }
  return {
    async findCommentSubject({ change, mayBeInSight }) {
      const picked = await subjectIn(pickedIn)
      const page = views.shown()
      if (picked !== null || page === null) return picked
      const chosen = change === null ? undefined : page.page.compared?.changes[change]
      const side = chosen?.to.length === 0 ? 'before' : 'after'
      const about = chosen && subjectOf(chosen, side)
      const versionId = page.pair[side]
      return about !== undefined && about !== null && versionId !== null
        ? { ...about, versionId }
        : mayBeInSight
          ? subjectIn(inSightOf)
          : null
    },
    async pinDeskComments({ versionId, comments }) {
      const now = sides().find((side) => side.versionId === versionId)
      if (now !== undefined) await pinComments(now.view.view.webContents, comments).catch(() => null)
      return null
    },
    async measureContrast() {
      const page = views.shown()
      if (page === null) return []
      const [now, before] = await Promise.all(
        [page.now, page.before].map(async (side) => (side === null ? [] : lowContrastIn(side.view.webContents))),
      )
      const known = new Set(before?.map(({ text }) => text))
      return (now ?? []).map(({ path, text }) => ({
        kind: 'contrast',
        what: text,
        at: { path, run: null },
        isNew: !known.has(text),
      }))
    },
    goToDeskChange({ change }) {
      for (const { view } of views.shownViews()) void chooseMark(view.webContents, change).catch(() => null)
      return null
    },
    focusDesk({ isInside }) {
      if (!isInside) window.webContents.focus()
      else if (views.isPlaced()) views.shownViews().at(-1)?.view.webContents.focus()
      return null
    },
    async goToDeskPlace(place) {
      const now = views.shown()?.now.view.webContents
      if (now !== undefined) await goToPlace(now, 'block' in place ? place.block : place).catch(() => null)
      return null
    },
  }
}

const contextChars = 60
const all = { x: 0, y: 0, width: 1, height: 1 }

/** A change as what a comment is about: its new words, or the whole block. A removed block is one of the version before. */
function subjectOf(change: Change, side: 'before' | 'after'): Picked | null {
  const [place] = side === 'after' ? change.to : change.from
  const text = change[side] ?? ''
  if (place === undefined) return null
  const ranges = side === 'after' ? change.addedRanges : []
  const [from, to] = [ranges[0]?.[0] ?? 0, ranges.at(-1)?.[1] ?? text.length]
  const exact = text.slice(from, to)
  const label = exact.trim().slice(0, 200)
  const { path, run } = place
  const isText = change.kind !== 'picture' && change.block !== 'figure' && change.block !== 'embed'
  if (isText && label !== '' && exact.length <= quoteMaxChars) {
    const around = {
      prefix: text.slice(Math.max(0, from - contextChars), from),
      suffix: text.slice(to, to + contextChars),
    }
    return { selection: { kind: 'text', exact, ...around, near: [...path] }, label }
  }
  const inner = run === null || run.from === run.to ? path : [...path, run.from]
  return { selection: { kind: 'element', path: [...inner], region: all }, label }
}
