import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import type { CommentSubject } from '../../../ipc/desk.ts'
import type { Command } from '../../commands/commands.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { DeskState } from './store.ts'

export type BesideTab = 'changes' | 'comments' | 'checks' | 'text' | 'media'

export interface NotesState {
  /** What is shown beside the page. */
  readonly tab: BesideTab
  /** What is being commented on; null: nothing. */
  readonly subject: CommentSubject | null
  /** Whether nothing was found to comment on. */
  readonly hasNothing: boolean
  choose(tab: BesideTab): void
  /** Begins a comment on what is selected in the page, or on the change that was gone to. */
  begin(): Promise<void>
  end(): void
}

/** What is shown beside the page of the desk, and the comment that is being written. */
export function createNotes(bridge: Bridge, desk: Pick<StoreApi<DeskState>, 'getState' | 'subscribe'>) {
  const none = { subject: null, hasNothing: false }
  const notes = createStore<NotesState>()((set) => ({
    tab: 'changes',
    ...none,
    choose: (tab) => set({ tab }),
    async begin() {
      const { at, change, shown } = desk.getState()
      if (at === null || shown.kind !== 'loaded') return
      const subject = await bridge.call('findCommentSubject', { change, mayBeInSight: true }).catch(() => null)
      // The key may have been pressed in the page, which keeps the focus.
      await bridge.call('focusDesk', { isInside: false }).catch(() => null)
      if (desk.getState().at === at) set({ tab: 'comments', subject, hasNothing: subject === null })
    },
    end: () => set(none),
  }))
  desk.subscribe(({ at }, before) => {
    if (at !== before.at) notes.setState(none)
  })
  return notes
}

export const commentCommand = (notes: Pick<StoreApi<NotesState>, 'getState'>, isAvailable: () => boolean): Command => ({
  id: 'review.comment',
  group: 'review',
  title: (t) => t('desk:commands.comment'),
  isOnce: true,
  isAvailable,
  run: () => void notes.getState().begin(),
})

export const [useNotes, provideNotes] = createStoreContext<NotesState>('notes')
