import type { VersionRef } from '@galley/library/records'
import type { Result, VersionId } from '@galley/wire'
import { fail } from '@galley/wire'
import { createStore } from 'zustand'

import type { Bridge, CallProblem } from '../../ipc/calls.ts'
import type { CommentSelection, PlacedThread } from '../../ipc/comments.ts'
import { catchUnexpected } from '../bridge/answers.ts'
import type { View } from '../bridge/answers.ts'
import { onChange } from '../bridge/on-change.ts'
import { oneAtATime } from '../bridge/one-at-a-time.ts'
import { createStoreContext } from '../context/provided.ts'

export interface CommentsState {
  /** The version whose comments are shown. */
  readonly of: VersionRef | null
  /** All threads of the material, with their places in the version. */
  readonly view: View<readonly PlacedThread[]>
  /** The version that their places are in; null before any is read. */
  readonly placedIn: VersionId | null
  /** The thread to show as soon as it is listed. */
  readonly sought: string | null
  seek(thread: string | null): void
  show(of: VersionRef | null): void
  load(): Promise<void>
  /** Comments on a place of one of the versions of the material. */
  add(versionId: VersionId, selection: CommentSelection, text: string): Promise<Result<unknown, CallProblem>>
  answer(thread: string, text: string): Promise<Result<unknown, CallProblem>>
  settle(thread: string, isResolved: boolean): Promise<Result<unknown, CallProblem>>
}

const loading = { kind: 'loading' } as const
const isSame = (one: VersionRef | null, other: VersionRef | null): boolean =>
  one?.site === other?.site && one?.materialId === other?.materialId && one?.versionId === other?.versionId

/** The comments of a material, as they are in one of its versions. Marks that others draw read `view`. */
export function createComments(bridge: Bridge) {
  const comments = createStore<CommentsState>()((set, get) => {
    const load = oneAtATime(async () => {
      const { of } = get()
      if (of === null) return
      const answer = await bridge.call('listComments', of).catch(() => fail(null))
      if (!isSame(get().of, of)) return
      if (answer.ok) set({ view: { kind: 'ready', items: answer.value }, placedIn: of.versionId })
      else set({ view: { kind: 'failed', problem: answer.failure } })
    })
    return {
      of: null,
      view: loading,
      placedIn: null,
      sought: null,
      seek: (sought) => set({ sought }),
      show(of) {
        const before = get().of
        if (isSame(before, of)) return
        // Those of another version of the material stay until its own are read: the list does not jump.
        const isOther = before?.site !== of?.site || before?.materialId !== of?.materialId
        set({ of, ...(isOther && { view: loading }) })
        void load()
      },
      load,
      async add(versionId, selection, text) {
        const { of } = get()
        if (of === null) return fail({ code: 'unknown_version' })
        return catchUnexpected(bridge.call('addComment', { ...of, versionId, selection, text }))
      },
      answer: (thread, text) => catchUnexpected(bridge.call('answerComment', { thread, text })),
      settle: (thread, isResolved) => catchUnexpected(bridge.call('settleComment', { thread, isResolved })),
    }
  })
  onChange(
    bridge,
    ['materials', 'marks'],
    () => void comments.getState().load(),
    () => comments.getState().of,
  )
  return comments
}

export const [useComments, provideComments] = createStoreContext<CommentsState>('comments')
