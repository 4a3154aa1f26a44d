import type { CommandId } from '@galley/library/records'
import { keyOf } from '@galley/look'
import type { KeyPress } from '@galley/look'
import { useEffect } from 'react'

import type { PaneName } from '../../ipc/review-window.ts'
import { isMac, isPressed, usableKeys } from '../commands/keys.ts'
import type { ReviewBridge } from './bridge.ts'
import { panesOf } from './state.ts'
import type { ReviewState } from './state.ts'
import { useReviewStore } from './store.ts'
import type { ReviewStore } from './store.ts'

/** The event that makes the current comparison go to another change. */
export const changeEvent = 'galley-change'

/** Goes to another change of the current comparison; false if there is no comparison. */
export const goToChange = (direction: 'next' | 'previous'): boolean =>
  !document.dispatchEvent(new CustomEvent(changeEvent, { detail: direction, cancelable: true }))

/** Wraps actions that always apply. */
const applied = (done: void): boolean => done === undefined

const isText = ({ tab }: ReviewState): boolean => tab === 'text' || tab === 'html' || tab === 'state'

const verdictCommands: ReadonlySet<CommandId> = new Set(['review.approve', 'review.reject'])

/** The window's shortcuts; each action returns whether it applied. */
const actions: readonly (readonly [CommandId, (state: ReviewState) => boolean])[] = [
  ['sheet.open', ({ toggleSheet }) => applied(toggleSheet())],
  ['review.nextChange', () => goToChange('next')],
  ['review.previousChange', () => goToChange('previous')],
  ['review.approve', ({ approve }) => applied(approve())],
  ['review.reject', ({ askReason }) => applied(askReason())],
  ['review.older', ({ walk }) => applied(walk(1))],
  ['review.newer', ({ walk }) => applied(walk(-1))],
  [
    'review.other',
    (state) => state.against !== null && applied(state.activate(panesOf(state).left === state.at ? 'right' : 'left')),
  ],
  ['review.phone', ({ setDevice }) => applied(setDevice('phone'))],
  ['review.tablet', ({ setDevice }) => applied(setDevice('tablet'))],
  ['review.desktop', ({ setDevice }) => applied(setDevice('desktop'))],
  ['review.compare', ({ toggleCompare }) => applied(toggleCompare())],
  ['review.sync', ({ against, toggleSync }) => against !== null && applied(toggleSync())],
  ['review.unified', (state) => state.against !== null && isText(state) && applied(state.toggleUnified())],
]

/** Runs the command of a key press; a verdict pressed inside a page applies to the version of that page. */
function runKey(pressed: KeyPress, store: ReviewStore, pane: PaneName | null): boolean {
  const state = store.getState()
  if (pressed.key === 'Escape') {
    if (state.isSheetShown) return applied(state.toggleSheet())
    if (state.isRejecting) return applied(state.cancelReject())
    return state.against !== null && applied(state.toggleCompare())
  }
  return actions.some(
    ([id, run]) =>
      // An open shortcut sheet blocks all other shortcuts.
      (!state.isSheetShown || id === 'sheet.open') &&
      usableKeys(id, state.chosenKeys).some((keys) => isPressed(keys, pressed, isMac)) &&
      (pane === null || !verdictCommands.has(id) || applied(state.activate(pane, true))) &&
      run(state),
  )
}

/** Whether the focused element uses this key itself: lists use letters and arrows, groups use arrows. */
const isUsedByElement = (key: string, target: EventTarget | null): boolean =>
  target instanceof Element &&
  key !== 'Escape' &&
  (target.matches('select, textarea') || (key.startsWith('Arrow') && target.matches('input, [role="tab"]')))

/** Handles shortcuts, whether the frame or one of its pages has the focus. */
export function useFrameKeys(bridge: ReviewBridge): void {
  const store = useReviewStore()
  useEffect(() => {
    const press = (pressed: KeyPress, pane: PaneName | null = null): boolean => {
      if ((pressed.ctrlKey || pressed.metaKey) && keyOf(pressed).toLowerCase() === 'w') {
        void bridge.call('closeReview', undefined)
        return true
      }
      return runKey(pressed, store, pane)
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'F6' && !store.getState().isSheetShown) {
        event.preventDefault()
        const state = store.getState()
        return void bridge.call('focusPage', { pane: panesOf(state).right === state.at ? 'right' : 'left' })
      }
      if (!isUsedByElement(event.key, event.target) && press(event)) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    const stopPages = bridge.on('keyPressed', (pressed) => press(pressed, pressed.pane))
    return () => {
      document.removeEventListener('keydown', onKey)
      stopPages()
    }
  }, [bridge, store])
}
