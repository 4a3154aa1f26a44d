import type { JsonLevel, JsonPiece, MaterialRef, TextPart, VersionRow } from '@galley/library/records'
import type { MaterialId, Result, SiteId, VersionId } from '@galley/wire'
import { fail } from '@galley/wire'
import { createStore } from 'zustand'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import type { MarksToSet } from '../../../ipc/fields.ts'
import type { VersionInspection } from '../../../ipc/versions.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import { createPages } from '../../stores/pages.ts'
import type { PagesState } from '../../stores/pages.ts'

/** The material and the selected version; null selects the version that is current when loaded. */
export interface VersionsOf {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly versionId: VersionId | null
}

export interface VersionsState {
  readonly of: VersionsOf | null
  /**
   * The current version at the time it was shown by default. A newer save does not replace it: verdicts and notes must
   * apply to what the person has seen.
   */
  readonly heldId: string | null
  /** Versions selected for an action such as comparison. */
  readonly selected: ReadonlySet<string>
  readonly detail: View<VersionInspection>
  /** The version being rejected. */
  readonly rejecting: VersionRow | null
  /** The chosen tab of the details. It survives a change of version. */
  readonly tab: string
  load(): Promise<void>
  show(of: VersionsOf | null): void
  /** Goes to the version that is now current. */
  showCurrent(): void
  select(selected: ReadonlySet<string>): void
  setRejecting(rejecting: VersionRow | null): void
  showTab(tab: string): void
  mark(version: VersionRow, marks: MarksToSet): Promise<Result<null, CallProblem>>
  /** Opens a version in a review window, beside another one if given. */
  review(versionId: VersionId, compareWith: string | null): Promise<Result<null, CallProblem>>
  readText(versionId: VersionId, part: 'html' | 'state', offset: number): Promise<Result<TextPart, CallProblem>>
  readLevel(
    versionId: VersionId,
    path: readonly (string | number)[],
    offset: number,
  ): Promise<Result<JsonLevel, CallProblem>>
  /** Reads more of a value that its level shows cut. */
  readValue(
    versionId: VersionId,
    path: readonly (string | number)[],
    offset: number,
  ): Promise<Result<JsonPiece, CallProblem>>
}

/** Bytes of a page per read. */
const textBytes = 256 * 1024
/** Members of the state per read. */
const levelMembers = 200
/** Characters of a state value per read; more would freeze the window. */
const valueChars = 32 * 1024

const unknownVersion = fail({ code: 'unknown_version' } as const)

/** The versions of one material, newest first, and the content of the open one. */
export function createVersions(bridge: Bridge) {
  const versionRows = createPages<VersionRow>(async (offset, limit) => {
    const { of } = versions.getState()
    if (of === null) return { total: 0, rows: [] }
    const { site, materialId } = of
    return await bridge.call('queryVersions', { site, materialId, offset, limit })
  })
  const versions = createStore<VersionsState>()((set, get) => {
    const loadDetail = oneAtATime(async () => {
      const { of } = get()
      const versionId = shownVersion(get(), versionRows.getState().rows)
      if (of === null || versionId === null) return
      const { site, materialId } = of
      const answer = await bridge.call('inspectVersion', { site, materialId, versionId }).catch(() => fail(null))
      if (shownVersion(get(), versionRows.getState().rows) !== versionId || !isSameMaterial(get().of, of)) return
      if (answer.ok) set({ heldId: versionId })
      // The version shown by default was deleted meanwhile.
      else if (of.versionId === null && get().heldId !== null) return get().showCurrent()
      set({ detail: answer.ok ? { kind: 'ready', items: answer.value } : { kind: 'failed', problem: answer.failure } })
    })
    const inMaterial = async <Value>(
      run: (of: MaterialRef) => Promise<Result<Value, CallProblem>>,
    ): Promise<Result<Value, CallProblem>> => {
      const { of } = get()
      return of === null ? unknownVersion : await catchUnexpected(run({ site: of.site, materialId: of.materialId }))
    }
    return {
      of: null,
      heldId: null,
      selected: new Set(),
      detail: loading,
      rejecting: null,
      tab: 'summary',
      load: async () => {
        if (get().of !== null) await versionRows.getState().refresh().then(loadDetail)
      },
      show: (of) => {
        const before = get().of
        if (isSameMaterial(before, of)) {
          if (before?.versionId === of?.versionId) return
          const heldId = of?.versionId ?? get().heldId
          const isOther = shownVersion({ of, heldId }, versionRows.getState().rows) !== detailId(get())
          set({ of, heldId, ...(isOther && { detail: loading }) })
          void loadDetail()
          return
        }
        set({ of, heldId: null, selected: new Set(), detail: loading, rejecting: null })
        void versionRows.getState().restart().then(loadDetail)
      },
      showCurrent() {
        set({ heldId: null, detail: loading })
        void loadDetail()
      },
      select: (selected) => set({ selected }),
      setRejecting: (rejecting) => set({ rejecting }),
      showTab: (tab) => set({ tab }),
      mark: ({ site, materialId, versionId }, set) =>
        catchUnexpected(bridge.call('setFields', { record: 'version', site, of: [{ materialId, versionId }], set })),
      review: (versionId, compareWith) =>
        inMaterial((of) => bridge.call('openReview', { ...of, versionId, compareWith })),
      readText: (versionId, part, offset) =>
        inMaterial((of) => bridge.call('readVersionText', { ...of, versionId, part, offset, maxBytes: textBytes })),
      readLevel: (versionId, path, offset) =>
        inMaterial((of) => bridge.call('readStateLevel', { ...of, versionId, path, offset, limit: levelMembers })),
      readValue: (versionId, path, offset) =>
        inMaterial((of) => bridge.call('readStateValue', { ...of, versionId, path, offset, limit: valueChars })),
    }
  })
  const read = (): void => void versions.getState().load()
  onChange(bridge, ['materials', 'marks'], read, () => versions.getState().of)
  return { versions, versionRows }
}

const loading = { kind: 'loading' } as const

const isSameMaterial = (one: VersionsOf | null, other: VersionsOf | null): boolean =>
  one?.site === other?.site && one?.materialId === other?.materialId

const detailId = ({ detail }: Pick<VersionsState, 'detail'>): string | null =>
  detail.kind === 'ready' ? detail.items.version.versionId : null

/** The id of the open version: the selected one, or else the one held, or else the current one once loaded. */
export function shownVersion(
  { of, heldId }: Pick<VersionsState, 'of' | 'heldId'>,
  rows: ReadonlyMap<number, VersionRow>,
): string | null {
  if (of === null) return null
  return of.versionId ?? heldId ?? [...rows.values()].find(({ current }) => current)?.versionId ?? null
}

/** The row of the open version, if it is loaded. */
export function chosenVersion(
  state: Pick<VersionsState, 'of' | 'heldId'>,
  rows: ReadonlyMap<number, VersionRow>,
): VersionRow | null {
  const versionId = shownVersion(state, rows)
  return [...rows.values()].find((row) => row.versionId === versionId) ?? null
}

/** Versions to compare with: the previous one, the current one, and the other one of a selected pair. */
export interface Comparisons {
  /** Newer version first. */
  readonly pair: readonly [string, string] | null
  readonly previousId: string | null
  readonly currentId: string | null
}

export function comparisonsOf(
  rows: ReadonlyMap<number, VersionRow>,
  selected: ReadonlySet<string>,
  versionId: VersionId,
): Comparisons {
  const place = [...rows].find(([, row]) => row.versionId === versionId)?.[0]
  const [newer, older, ...more] = [...rows]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, row]) => (selected.has(row.versionId) ? [row.versionId] : []))
  const isPair = newer !== undefined && older !== undefined && more.length === 0 && selected.has(versionId)
  return {
    pair: isPair ? [newer, older] : null,
    previousId: (place === undefined ? undefined : rows.get(place + 1)?.versionId) ?? null,
    currentId: [...rows.values()].find(({ current }) => current)?.versionId ?? null,
  }
}

export const [useVersions, provideVersions] = createStoreContext<VersionsState>('versions')

export const [useVersionRows, provideVersionRows] = createStoreContext<PagesState<VersionRow>>('rows of versions')
