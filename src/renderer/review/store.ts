import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { ChosenShortcuts } from '../../contract/domain/shortcuts.ts'
import type { CallProblem } from '../../contract/ipc/calls.ts'
import type { PageEnd, PaneName, Review, ReviewVersion } from '../../contract/ipc/review-window.ts'
import type { GivenVerdict } from '../../contract/ipc/versions.ts'
import { createStoreContext } from '../context/provided.ts'
import type { ReviewBridge } from './bridge.ts'

/** The state of a requested page. */
export type PageView =
  | { readonly kind: 'none' }
  /** `isAbove`: the previous page is still visible. */
  | { readonly kind: 'loading'; readonly version: ReviewVersion; readonly isAbove: boolean }
  | {
      readonly kind: 'shown'
      readonly version: ReviewVersion
      readonly missing: readonly string[]
      /** Names of requested files that could not be read from disk. */
      readonly lost: readonly string[]
      readonly hasImages: boolean
    }
  | { readonly kind: 'failed'; readonly version: ReviewVersion; readonly problem: CallProblem }
  | { readonly kind: 'died'; readonly version: ReviewVersion; readonly why: PageEnd }

/** Viewport widths in CSS pixels. */
export const viewportWidths = { phone: 390, tablet: 820, desktop: 1280 } as const
export type Device = keyof typeof viewportWidths

export const tabs = ['page', 'text', 'html', 'state', 'media'] as const
export type Tab = (typeof tabs)[number]

export interface ReviewState {
  readonly view:
    | { readonly kind: 'loading' }
    | { readonly kind: 'failed'; readonly problem: CallProblem | null }
    | { readonly kind: 'ready'; readonly review: Review }
  /**
   * Indexes into the list of versions, newest first. `at` is the active version, which shortcuts apply to; `against` is
   * the other one, or null.
   */
  readonly at: number
  readonly against: number | null
  readonly device: Device
  readonly tab: Tab
  readonly isSynced: boolean
  readonly isUnified: boolean
  readonly pages: Readonly<Record<PaneName, PageView>>
  readonly chosenKeys: ChosenShortcuts
  /** True after a comparison was requested but there is only one version. */
  readonly isAlone: boolean
  /** True after a visible version was deleted, until another one is chosen. */
  readonly isGone: boolean
  /** While the form asks for a reason. */
  readonly isRejecting: boolean
  /** Draft reasons by version id. */
  readonly reasons: ReadonlyMap<string, string>
  /** While the shortcut sheet replaces the pages. */
  readonly isSheetShown: boolean
  /** Why the last verdict was not saved. */
  readonly verdictProblem: CallProblem | null
  load(): Promise<void>
  /** Reloads the page of this pane, with or without its images and videos. */
  retry(pane: PaneName, hasImages: boolean): void
  setKeys(chosen: ChosenShortcuts): void
  /** Goes one version older (1) or newer (-1), skipping the one it is compared with. */
  walk(steps: 1 | -1): void
  /** Makes the version of this pane active. A reason being typed keeps its own version active, unless `isForced`. */
  activate(pane: PaneName, isForced?: boolean): void
  /** Shows a version in this pane, unless that would put the older one on the right. */
  choose(pane: PaneName, at: number): void
  /** Compares with the previous version, or, for the first one, with the next; does nothing for a single version. */
  toggleCompare(): void
  setDevice(device: Device): void
  setTab(tab: Tab): void
  /** Approves the active version, or clears the approval. */
  toggleApproved(): void
  /** Asks for a reason to reject the active version, or clears its rejection. */
  toggleRejected(): void
  typeReason(note: string): void
  reject(): void
  cancelReject(): void
  toggleSheet(): void
  toggleSync(): void
  toggleUnified(): void
}

/** The version index of each pane: the older version is on the left. */
export function panesOf({
  at,
  against,
}: Pick<ReviewState, 'at' | 'against'>): Readonly<Record<PaneName, number | null>> {
  if (against === null) return { left: at, right: null }
  return { left: Math.max(at, against), right: Math.min(at, against) }
}

/** The draft reason for rejecting the active version. */
export function reasonOf({ view, at, reasons }: Pick<ReviewState, 'view' | 'at' | 'reasons'>): string {
  const version = view.kind === 'ready' ? view.review.versions[at] : undefined
  return (version && reasons.get(version.versionId)) ?? ''
}

/** The range of versions that a pane may show beside the other pane, with the older one on the left. */
export function choicesOf(
  shown: Pick<ReviewState, 'at' | 'against'>,
  pane: PaneName,
  count: number,
): { readonly first: number; readonly last: number } {
  const { left, right } = panesOf(shown)
  if (left === null || right === null) return { first: 0, last: count - 1 }
  return pane === 'left' ? { first: right + 1, last: count - 1 } : { first: 0, last: left - 1 }
}

const unexpected = { ok: false, failure: { code: 'unexpected' } } as const

type Store = Pick<StoreApi<ReviewState>, 'setState' | 'getState'>

const versionsIn = ({ view }: Pick<ReviewState, 'view'>): readonly ReviewVersion[] =>
  view.kind === 'ready' ? view.review.versions : []

/** Loads the pages of the two panes and tracks files that each could not load. */
function createPages({ setState: set, getState: get }: Store, bridge: ReviewBridge) {
  /** Missing files by version id, for pages not up yet. */
  const earlyMissing = new Map<string, readonly string[]>()
  const setPage = (pane: PaneName, page: PageView): void => set({ pages: { ...get().pages, [pane]: page } })

  async function showPage(pane: PaneName, at: number | null, hasImages = true): Promise<void> {
    const version = at === null ? undefined : versionsIn(get())[at]
    const before = get().pages[pane]
    if (version === undefined) {
      if (before.kind === 'none') return
      setPage(pane, { kind: 'none' })
      await bridge.call('showPage', { pane, versionId: null, hasImages }).catch(() => null)
      return
    }
    const isUp = before.kind === 'loading' || before.kind === 'shown'
    if (isUp && before.version.versionId === version.versionId) return
    const isAbove = before.kind === 'shown' || (before.kind === 'loading' && before.isAbove)
    setPage(pane, { kind: 'loading', version, isAbove })
    const { versionId } = version
    earlyMissing.delete(versionId)
    const shown = await bridge.call('showPage', { pane, versionId, hasImages }).catch(() => unexpected)
    const now = get().pages[pane]
    // Another version was requested in the meantime.
    if (now.kind !== 'loading' || now.version.versionId !== versionId) return
    setPage(
      pane,
      shown.ok
        ? {
            ...{ kind: 'shown', version, missing: shown.value?.missing ?? [] },
            ...{ lost: earlyMissing.get(versionId) ?? [], hasImages },
          }
        : { kind: 'failed', version, problem: shown.failure },
    )
  }

  const change = (pane: PaneName, changed: (page: Exclude<PageView, { kind: 'none' }>) => PageView): void => {
    const page = get().pages[pane]
    if (page.kind !== 'none') setPage(pane, changed(page))
  }
  bridge.on('pageDied', ({ pane, why }) => change(pane, ({ version }) => ({ kind: 'died', version, why })))
  bridge.on('fileLost', ({ pane, name }) =>
    change(pane, (page) => {
      const { versionId } = page.version
      const lost = [...new Set([...(page.kind === 'shown' ? page.lost : (earlyMissing.get(versionId) ?? [])), name])]
      // A page requests its files before main reports it as shown.
      earlyMissing.set(versionId, lost)
      return page.kind === 'shown' ? { ...page, lost } : page
    }),
  )
  return {
    showPage,
    retry(pane: PaneName, hasImages: boolean): void {
      const page = get().pages[pane]
      if (page.kind === 'none') return
      setPage(pane, { kind: 'none' })
      void showPage(pane, panesOf(get())[pane], hasImages)
    },
  }
}

/** Choosing versions and loading their pages. */
function paneActions({ setState: set, getState: get }: Store, bridge: ReviewBridge) {
  const { showPage, retry } = createPages({ setState: set, getState: get }, bridge)
  const versions = (): readonly ReviewVersion[] => versionsIn(get())
  /** The only way to change the versions in the panes. */
  function move(to: Partial<Pick<ReviewState, 'at' | 'against'>>): void {
    set({
      ...to,
      isAlone: false,
      isGone: false,
      isSheetShown: false,
      ...(to.at !== undefined && { isRejecting: false, verdictProblem: null }),
    })
    const panes = panesOf(get())
    void showPage('left', panes.left)
    void showPage('right', panes.right)
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
      set({ view: { kind: 'ready', review } })
      const [found, other] = [indexOf(wanted), indexOf(beside)]
      const next = Math.max(0, found)
      const isGone = get().isGone || found === -1 || (typeof beside === 'string' && other === -1)
      move({ at: next, against: other === -1 || other === next ? null : other })
      set({ isGone })
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

/** Approving and rejecting the active version. */
function verdictActions({ setState: set, getState: get }: Store, bridge: ReviewBridge) {
  const activeVersion = (): ReviewVersion | undefined => versionsIn(get())[get().at]

  async function giveVerdict(verdict: GivenVerdict): Promise<void> {
    const version = activeVersion()
    if (version === undefined) return
    set({ isRejecting: false, verdictProblem: null })
    const answer = await bridge.call('judgeVersion', { versionId: version.versionId, verdict }).catch(() => unexpected)
    if (!answer.ok) return set({ verdictProblem: answer.failure })
    const reasons = new Map(get().reasons)
    reasons.delete(version.versionId)
    set({ reasons })
  }

  return {
    toggleApproved: () =>
      void giveVerdict(activeVersion()?.verdict?.kind === 'approved' ? null : { kind: 'approved', note: '' }),
    toggleRejected() {
      if (activeVersion()?.verdict?.kind === 'rejected') void giveVerdict(null)
      else set({ isRejecting: !get().isRejecting })
    },
    typeReason(note) {
      const version = activeVersion()
      if (version !== undefined) set({ reasons: new Map(get().reasons).set(version.versionId, note) })
    },
    reject: () => void giveVerdict({ kind: 'rejected', note: reasonOf(get()).trim() }),
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
