import type { ChosenShortcuts, Verdict } from '@galley/library/records'

import type { CallProblem } from '../../ipc/calls.ts'
import type { viewportWidths } from '../../ipc/page-pictures.ts'
import type { PageEnd, PaneName, Review, ReviewVersion, ShownPage } from '../../ipc/review-window.ts'

/** The state of a requested page. */
export type PageView =
  | { readonly kind: 'none' }
  /** `isAbove`: the previous page is still visible. */
  | { readonly kind: 'loading'; readonly version: ReviewVersion; readonly isAbove: boolean }
  | (ShownPage & {
      readonly kind: 'shown'
      readonly version: ReviewVersion
      /** Names of requested files that could not be read from disk. */
      readonly lost: readonly string[]
      readonly hasImages: boolean
    })
  | { readonly kind: 'failed'; readonly version: ReviewVersion; readonly problem: CallProblem }
  | { readonly kind: 'died'; readonly version: ReviewVersion; readonly why: PageEnd }

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
  /** The current version when the window was opened. */
  readonly knownCurrent: string | null
  /** The decision that the last one replaced. */
  readonly undo: { readonly versionId: string; readonly verdict: Verdict | null } | null
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
  /** Shows the version that is now current. */
  showCurrent(): void
  /** Approves the active version; does nothing if it is approved. */
  approve(): void
  /** Opens or closes the form for a reason to reject the active version; the form starts with the given reason. */
  askReason(): void
  clearVerdict(): void
  /** Restores the decision that the last one replaced, with its reason. */
  undoVerdict(): void
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

/** The version that came after the window was opened, unless it is shown. */
export function newerVersion(state: Pick<ReviewState, 'view' | 'at' | 'against' | 'knownCurrent'>): number | null {
  const current = versionsIn(state).findIndex((version) => version.current)
  const isNew = current !== -1 && versionsIn(state)[current]?.versionId !== state.knownCurrent
  return isNew && current !== state.at && current !== state.against ? current : null
}

/** The draft reason for rejecting the active version, or else the given one. */
export function reasonOf({ view, at, reasons }: Pick<ReviewState, 'view' | 'at' | 'reasons'>): string {
  const version = view.kind === 'ready' ? view.review.versions[at] : undefined
  const given = version?.verdict?.decision === 'changes_requested' ? version.verdict.reason : ''
  return (version && reasons.get(version.versionId)) ?? given
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

export const versionsIn = ({ view }: Pick<ReviewState, 'view'>): readonly ReviewVersion[] =>
  view.kind === 'ready' ? view.review.versions : []
