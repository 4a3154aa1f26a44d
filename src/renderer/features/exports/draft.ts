import type { ExportPlan, ExportReport, ExportRequest, ExportRow } from '@galley/library/records'
import type { MaterialId, SiteId, TaskProgress, VersionId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import type { ExportOrder } from '../../../ipc/exports.ts'
import { viewOf } from '../../bridge/answers.ts'
import { followTask } from '../../bridge/follow-task.ts'
import type { RunningTask } from '../../bridge/follow-task.ts'
import { createStoreContext } from '../../context/provided.ts'
import { textOrNull } from '../../domain/typed-text.ts'

/** A material that is to be exported, and its version where that is not the one that the site's rule gives. */
export interface ChosenMaterial {
  readonly materialId: MaterialId
  readonly title: string
  readonly versionId: VersionId | null
}

export interface ExportDraft {
  readonly site: SiteId
  readonly kind: 'folder' | 'zip'
  /** To be shown; empty until it is chosen. */
  readonly path: string
  /** A token for the path: main received it from a dialog, or from an earlier export. */
  readonly target: ExportOrder['target'] | null
  /** Null: every material that was ever saved. */
  readonly materials: readonly ChosenMaterial[] | null
  readonly baseUrl: string
  readonly check: ExportRequest['check']
  readonly verify: boolean
}

/** How far the export is that is being prepared. */
export type Stage =
  | { readonly kind: 'closed' }
  | { readonly kind: 'editing'; readonly problem: CallProblem | null }
  | { readonly kind: 'planning' | 'exporting'; readonly progress: TaskProgress | null; readonly isCancelling: boolean }
  | { readonly kind: 'planned'; readonly plan: ExportPlan }
  | { readonly kind: 'done'; readonly report: ExportReport }

export interface DraftState {
  readonly draft: ExportDraft
  readonly stage: Stage
  /** The last destinations of the site, by kind. */
  readonly lastDestinations: LastDestinations
  open(draft: ExportDraft): void
  change(change: Partial<ExportDraft>): void
  chooseKind(kind: ExportDraft['kind']): void
  chooseDestination(): Promise<void>
  plan(): Promise<void>
  export(): Promise<void>
  backToForm(): void
  /** Cancels the current step at its next safe moment. An export that is complete by then stays. */
  cancel(): void
  /** Cancels a plan in preparation; an export continues as a task. */
  close(): void
}

type Destination = Pick<ExportDraft, 'kind' | 'path' | 'target'>
type LastDestinations = ReadonlyMap<ExportDraft['kind'], Destination>

/** Everything that was saved, into a folder that is still to be chosen. */
export const emptyDraft = (site: SiteId): ExportDraft => ({
  site,
  kind: 'folder',
  path: '',
  target: null,
  materials: null,
  baseUrl: '',
  check: 'warn',
  verify: false,
})

function orderOf({ site, materials, baseUrl, check, verify }: ExportDraft, target: ExportOrder['target']): ExportOrder {
  return {
    site,
    materials: materials?.map(({ materialId }) => materialId) ?? [],
    pins: (materials ?? []).flatMap(({ materialId, versionId }) =>
      versionId === null ? [] : [{ materialId, versionId }],
    ),
    target,
    baseUrl: textOrNull(baseUrl),
    check,
    verify,
  }
}

/** An export that was done, to be done again. */
export const draftOf = ({ exportId, request }: ExportRow, titles: ReadonlyMap<string, string>): ExportDraft => ({
  site: request.site,
  kind: request.target.kind,
  path: request.target.path,
  target: { again: exportId },
  materials:
    request.materials.length === 0
      ? null
      : request.materials.map((materialId) => ({
          materialId,
          title: titles.get(materialId) ?? materialId,
          versionId: request.pins.find((pin) => pin.materialId === materialId)?.versionId ?? null,
        })),
  baseUrl: request.baseUrl ?? '',
  check: request.check,
  verify: request.verify === true,
})

/** The number of newest exports that are searched. */
const recentExports = 50

/** Newest first; none if the history cannot be read, since a destination can be chosen without it. */
async function lastDestinationsOf(bridge: Bridge, site: SiteId): Promise<readonly Destination[]> {
  const view = await viewOf(bridge.call('listExports', { site, offset: 0, limit: recentExports }))
  const rows = view.kind === 'ready' ? view.items.rows : []
  return rows.map(({ exportId, target }) => ({ ...target, target: { again: exportId } }))
}

/** The export that is being prepared: the request, its plan, and its result. */
export function createExportDraft(bridge: Bridge): StoreApi<DraftState> {
  return createStore<DraftState>()((set, get) => {
    let running: RunningTask<'exportPlan' | 'export'> | null = null
    const onProgress = (progress: TaskProgress): void =>
      set(({ stage }) =>
        stage.kind === 'planning' || stage.kind === 'exporting' ? { stage: { ...stage, progress } } : {},
      )

    /** Offers where the site was exported to before. */
    async function rememberDestinations(draft: ExportDraft): Promise<void> {
      const places = await lastDestinationsOf(bridge, draft.site)
      if (get().draft.site !== draft.site) return
      set({ lastDestinations: new Map(places.toReversed().map((place) => [place.kind, place])) })
      const [last] = places
      // Input that was made in the meantime is kept.
      if (last !== undefined && draft.target === null && get().draft === draft) get().change(last)
    }

    return {
      draft: emptyDraft(''),
      stage: { kind: 'closed' },
      lastDestinations: new Map(),
      open(draft) {
        set({ draft, stage: { kind: 'editing', problem: null }, lastDestinations: new Map() })
        void rememberDestinations(draft)
      },
      change: (change) => set(({ draft }) => ({ draft: { ...draft, ...change } })),
      chooseKind: (kind) => get().change(get().lastDestinations.get(kind) ?? { kind, path: '', target: null }),
      async chooseDestination() {
        const { site, kind } = get().draft
        const chosen = await bridge.call('chooseExportTarget', { site, kind })
        if (chosen !== null) get().change({ path: chosen.path, target: { kind, chosen: chosen.token } })
      },
      async plan() {
        const { draft } = get()
        if (draft.target === null) return
        set({ stage: { kind: 'planning', progress: null, isCancelling: false } })
        const task = followTask<'exportPlan'>(
          bridge,
          bridge.call('startExportPlan', orderOf(draft, draft.target)),
          onProgress,
        )
        running = task
        const planned = await task.ended
        if (running !== task) return
        set({
          stage: planned.ok ? { kind: 'planned', plan: planned.value } : { kind: 'editing', problem: planned.failure },
        })
      },
      async export() {
        const { draft } = get()
        if (draft.target === null) return
        set({ stage: { kind: 'exporting', progress: null, isCancelling: false } })
        const task = followTask<'export'>(bridge, bridge.call('startExport', orderOf(draft, draft.target)), onProgress)
        running = task
        const done = await task.ended
        if (running !== task) return
        set({ stage: done.ok ? { kind: 'done', report: done.value } : { kind: 'editing', problem: done.failure } })
      },
      backToForm: () => set({ stage: { kind: 'editing', problem: null } }),
      cancel() {
        running?.cancel()
        set(({ stage }) =>
          stage.kind === 'planning' || stage.kind === 'exporting' ? { stage: { ...stage, isCancelling: true } } : {},
        )
      },
      close() {
        if (get().stage.kind === 'exporting') running?.leave()
        else running?.cancel()
        running = null
        set({ stage: { kind: 'closed' } })
      },
    }
  })
}

export const [useExportDraft, provideExportDraft] = createStoreContext<DraftState>('export in preparation')
