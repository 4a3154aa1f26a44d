import { useEffect } from 'react'

import { keyOf } from '../../contract/domain/key-press.ts'
import type { KeyPress } from '../../contract/domain/key-press.ts'
import type { CommandId } from '../../contract/domain/shortcuts.ts'
import type { PaneName } from '../../contract/ipc/review-window.ts'
import { isMac, isPressed, usableKeys } from '../commands/keys.ts'
import type { ReviewBridge } from './bridge.ts'
import { panesOf, useReviewStore } from './store.ts'
import type { ReviewState, ReviewStore } from './store.ts'

/** Name of the event that asks the comparison that is shown to go on to another change. */
export const changeEvent = 'galley-change'

/** Goes on to another change of the comparison that is shown; false when there is none. */
export const goToChange = (direction: 'next' | 'previous'): boolean =>
  !document.dispatchEvent(new CustomEvent(changeEvent, { detail: direction, cancelable: true }))

/** What always has something to do. */
const did = (done: void): boolean => done === undefined

const isText = ({ tab }: ReviewState): boolean => tab === 'text' || tab === 'html' || tab === 'state'

const judging: ReadonlySet<CommandId> = new Set(['review.approve', 'review.reject'])

/** What the keys of the window do; each says whether there was something to do. */
const actions: readonly (readonly [CommandId, (state: ReviewState) => boolean])[] = [
  ['sheet.open', ({ toggleSheet }) => did(toggleSheet())],
  ['review.nextChange', () => goToChange('next')],
  ['review.previousChange', () => goToChange('previous')],
  ['review.approve', ({ toggleApproved }) => did(toggleApproved())],
  ['review.reject', ({ toggleRejected }) => did(toggleRejected())],
  ['review.older', ({ walk }) => did(walk(1))],
  ['review.newer', ({ walk }) => did(walk(-1))],
  [
    'review.other',
    (state) => state.against !== null && did(state.activate(panesOf(state).left === state.at ? 'right' : 'left')),
  ],
  ['review.phone', ({ setDevice }) => did(setDevice('phone'))],
  ['review.tablet', ({ setDevice }) => did(setDevice('tablet'))],
  ['review.desktop', ({ setDevice }) => did(setDevice('desktop'))],
  ['review.compare', ({ toggleCompare }) => did(toggleCompare())],
  ['review.sync', ({ against, toggleSync }) => against !== null && did(toggleSync())],
  ['review.unified', (state) => state.against !== null && isText(state) && did(state.toggleUnified())],
]

/** What a key does; one that is pressed in a page judges the version of that page. */
function act(pressed: KeyPress, store: ReviewStore, pane: PaneName | null): boolean {
  const state = store.getState()
  if (pressed.key === 'Escape') {
    if (state.isSheetShown) return did(state.toggleSheet())
    if (state.isRejecting) return did(state.cancelReject())
    return state.against !== null && did(state.toggleCompare())
  }
  return actions.some(
    ([id, run]) =>
      // The sheet keeps the keys from what it lies above.
      (!state.isSheetShown || id === 'sheet.open') &&
      usableKeys(id, state.chosenKeys).some((keys) => isPressed(keys, pressed, isMac)) &&
      (pane === null || !judging.has(id) || did(state.activate(pane, true))) &&
      run(state),
  )
}

/** Whether what has the keyboard has a use for this key itself: lists for letters and arrows, groups for arrows. */
const isTaken = (key: string, target: EventTarget | null): boolean =>
  target instanceof Element &&
  key !== 'Escape' &&
  (target.matches('select, input[type="text"]') || (key.startsWith('Arrow') && target.matches('input, [role="tab"]')))

/** The keys of the frame, whether it has the keyboard itself or one of its pages. */
export function useFrameKeys(bridge: ReviewBridge): void {
  const store = useReviewStore()
  useEffect(() => {
    const press = (pressed: KeyPress, pane: PaneName | null = null): boolean => {
      if ((pressed.ctrlKey || pressed.metaKey) && keyOf(pressed).toLowerCase() === 'w') {
        void bridge.call('closeReview', undefined)
        return true
      }
      return act(pressed, store, pane)
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'F6' && !store.getState().isSheetShown) {
        event.preventDefault()
        const state = store.getState()
        return void bridge.call('focusPage', { pane: panesOf(state).right === state.at ? 'right' : 'left' })
      }
      if (!isTaken(event.key, event.target) && press(event)) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    const stopPages = bridge.on('keyPressed', (pressed) => press(pressed, pressed.pane))
    return () => {
      document.removeEventListener('keydown', onKey)
      stopPages()
    }
  }, [bridge, store])
}
