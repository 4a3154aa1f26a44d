import type { WantedVerdict } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { ReviewVersion } from '../../ipc/review-window.ts'
import { createStoreContext } from '../context/provided.ts'
import type { ReviewBridge } from './bridge.ts'
import { createPages, unexpected } from './load-pages.ts'
import type { Store } from './load-pages.ts'
import { choicesOf, newerVersion, panesOf, reasonOf, versionsIn } from './state.ts'
import type { ReviewState } from './state.ts'

/** Choosing versions and loading their pages. */
function paneActions({ setState: set, getState: get }: Store, bridge: ReviewBridge) {
  const { showPage, retry } = createPages({ setState: set, getState: get }, bridge)
  const versions = (): readonly ReviewVersion[] => versionsIn(get())
  function showPages(): void {
    const panes = panesOf(get())
    void showPage('left', panes.left)
    void showPage('right', panes.right)
  }
  /** The only way to change the versions in the panes. */
  function move(to: Partial<Pick<ReviewState, 'at' | 'against'>>): void {
    set({
      ...to,
      isAlone: false,
      isGone: false,
      isSheetShown: false,
      ...(to.at !== undefined && { isRejecting: false, verdictProblem: null }),
    })
    showPages()
  }

  return {
    retry,
    async load() {
      const answer = await bridge.call('readReview', undefined).catch(() => null)
      const { view: before, at, against } = get()
      if (answer === null || !answer.ok) {
        // A failed refresh keeps what is already visible.
        if (before.kind !== 'ready') set({ view: { kind: 'failed', problem: answer?.failure ?? null } })
        return
      }
      const review = answer.value
      const indexOf = (id: string | null | undefined): number =>
        review.versions.findIndex(({ versionId }) => versionId === id)
      // On a reload, keep the same versions at their new indexes.
      const [wanted, beside] =
        before.kind === 'ready'
          ? [at, against].map((place) => (place === null ? null : before.review.versions[place]?.versionId))
          : [review.versionId, review.compareWith]
      if (before.kind !== 'ready')
        set({ knownCurrent: review.versions.find(({ current }) => current)?.versionId ?? null })
      set({ view: { kind: 'ready', review } })
      const [found, other] = [indexOf(wanted), indexOf(beside)]
      const next = Math.max(0, found)
      const isGone = get().isGone || found === -1 || (typeof beside === 'string' && other === -1)
      const places = { at: next, against: other === -1 || other === next ? null : other }
      if (before.kind === 'ready' && found !== -1) {
        // The same version, about which a person may be typing: the next letters must not become shortcuts.
        set({ ...places, isAlone: false })
        showPages()
      } else move(places)
      set({ isGone })
    },
    showCurrent() {
      const newer = newerVersion(get())
      if (newer !== null) move({ at: newer })
    },
    walk(steps) {
      const { at, against } = get()
      const next = at + steps === against ? at + 2 * steps : at + steps
      if (versions()[next] !== undefined) move({ at: next })
    },
    activate(pane, isForced = false) {
      const { at, against, isRejecting } = get()
      if (against === null || panesOf(get())[pane] === at || (isRejecting && !isForced)) return
      set({ at: against, against: at, isRejecting: false, verdictProblem: null })
    },
    choose(pane, place) {
      const { first, last } = choicesOf(get(), pane, versions().length)
      if (place < first || place > last) return
      move(panesOf(get())[pane] === get().at ? { at: place } : { against: place })
    },
    toggleCompare() {
      const { at, against } = get()
      if (against !== null) {
        set({ tab: 'page' })
        return move({ against: null })
      }
      const other = [at + 1, at - 1].find((place) => versions()[place] !== undefined)
      if (other === undefined) set({ isAlone: versions().length > 0 })
      else move({ against: other })
    },
  } satisfies Partial<ReviewState>
}

/** Decisions about the active version. Keys and buttons set them; only `clearVerdict` takes one away. */
function verdictActions({ setState: set, getState: get }: Store, bridge: ReviewBridge) {
  const activeVersion = (): ReviewVersion | undefined => versionsIn(get())[get().at]

  async function giveVerdict(verdict: WantedVerdict, version = activeVersion()): Promise<void> {
    if (version === undefined) return
    const { versionId, verdict: replaced } = version
    set({ isRejecting: false, verdictProblem: null })
    const answer = await bridge.call('judgeVersion', { versionId, verdict }).catch(() => unexpected)
    if (!answer.ok) return set({ verdictProblem: answer.failure })
    const reasons = new Map(get().reasons)
    reasons.delete(versionId)
    set({ reasons, undo: { versionId, verdict: replaced } })
  }

  return {
    approve() {
      if (activeVersion()?.verdict?.decision !== 'approved') void giveVerdict({ decision: 'approved', reason: '' })
    },
    askReason: () => set({ isRejecting: !get().isRejecting }),
    clearVerdict: () => void giveVerdict(null),
    undoVerdict() {
      const { undo } = get()
      const version = versionsIn(get()).find(({ versionId }) => versionId === undo?.versionId)
      if (undo === null || version === undefined) return
      const { verdict } = undo
      const before = verdict && { decision: verdict.decision, reason: verdict.reason }
      void giveVerdict(before, version).then(() => set({ undo: null }))
    },
    typeReason(note) {
      const version = activeVersion()
      if (version !== undefined) set({ reasons: new Map(get().reasons).set(version.versionId, note) })
    },
    reject: () => void giveVerdict({ decision: 'changes_requested', reason: reasonOf(get()).trim() }),
    cancelReject: () => set({ isRejecting: false }),
  } satisfies Partial<ReviewState>
}

/** The state of one review window. */
export function createReviewStore(bridge: ReviewBridge): StoreApi<ReviewState> {
  const review = createStore<ReviewState>()((set, get, store) => ({
    view: { kind: 'loading' },
    at: 0,
    against: null,
    device: 'desktop',
    tab: 'page',
    isSynced: true,
    isUnified: false,
    pages: { left: { kind: 'none' }, right: { kind: 'none' } },
    chosenKeys: {},
    isAlone: false,
    isGone: false,
    knownCurrent: null,
    undo: null,
    isRejecting: false,
    reasons: new Map(),
    isSheetShown: false,
    verdictProblem: null,

    setKeys: (chosenKeys) => set({ chosenKeys }),
    setDevice: (device) => set({ device }),
    setTab: (tab) => set({ tab }),
    toggleSheet: () => set({ isSheetShown: !get().isSheetShown }),
    toggleSync: () => {
      const isSynced = !get().isSynced
      set({ isSynced })
      void bridge.call('syncScroll', { on: isSynced })
    },
    toggleUnified: () => set({ isUnified: !get().isUnified }),
    ...paneActions(store, bridge),
    ...verdictActions(store, bridge),
  }))
  bridge.on('changed', () => void review.getState().load())
  return review
}

export type ReviewStore = ReturnType<typeof createReviewStore>

export const [useReview, provideReview, useReviewStore] = createStoreContext<ReviewState>('review')
