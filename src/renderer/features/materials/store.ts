import type { MaterialFacets, MaterialRow, OpenPreview, PruneReport } from '@galley/library/records'
import { defaultSettings } from '@galley/library/records'
import type { MaterialId, Result, SiteId } from '@galley/wire'
import { fail } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge, CallProblem } from '../../../ipc/calls.ts'
import type { OpenedEditor } from '../../../ipc/editor.ts'
import type { FieldsToSetOf } from '../../../ipc/fields.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { followTask, orCancelled } from '../../bridge/follow-task.ts'
import type { RunningTask } from '../../bridge/follow-task.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { refusal } from '../../bridge/refusal.ts'
import { createStoreContext } from '../../context/provided.ts'
import { currentView } from '../../navigation/navigation.ts'
import type { NavigationStore } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createPages } from '../../stores/pages.ts'
import type { PagesState } from '../../stores/pages.ts'
import { createSavedViews } from '../../stores/saved-views.ts'
import type { SavedViewsState } from '../../stores/saved-views.ts'
import { keep, readKept } from '../../ui/kept.ts'
import { bestFirst, everything, queryOf, questionSchema } from './question.ts'
import type { Question } from './question.ts'

/** The state of the last "Open in editor". */
export type Opening =
  | { readonly kind: 'idle' }
  | { readonly kind: 'opening'; readonly materialId: MaterialId }
  | {
      readonly kind: 'opened'
      readonly materialId: MaterialId
      readonly url: string
      readonly browser: OpenedEditor['browser']
    }
  | { readonly kind: 'failed'; readonly materialId: MaterialId; readonly problem: CallProblem }

/** The open dialog. */
export type MaterialDialog =
  | { readonly kind: 'none' }
  /** `materialId`: a material that a callback has named. */
  | { readonly kind: 'new'; readonly materialId?: MaterialId }
  | {
      readonly kind: 'open'
      readonly materialId: MaterialId
      /** A material not yet in the library. */
      readonly isNew: boolean
      readonly title: string | null
      readonly preview: View<OpenPreview>
    }
  | { readonly kind: 'rename'; readonly material: MaterialRow }
  | { readonly kind: 'tags'; readonly materialIds: readonly MaterialId[] }
  | { readonly kind: 'refuse'; readonly materialIds: readonly MaterialId[] }
  | { readonly kind: 'delete'; readonly materialIds: readonly MaterialId[] }
  | { readonly kind: 'view' }

type OpenDialog = Extract<MaterialDialog, { readonly kind: 'open' }>
type Outcome = Promise<Result<unknown, CallProblem>>

export interface MaterialsState {
  readonly site: SiteId | null
  readonly question: Question
  /** Filter values; null until loaded. */
  readonly facets: MaterialFacets | null
  readonly selected: ReadonlySet<string>
  readonly opening: Opening
  readonly dialog: MaterialDialog
  load(): Promise<void>
  /** Changes the site and drops the old one's selection and search. */
  show(site: SiteId | null): void
  ask(change: Partial<Question>): void
  /** Searching sorts by relevance; clearing the search restores the previous order. */
  search(text: string): void
  select(selected: ReadonlySet<string>): void
  /** All ids in a range of the current list. */
  idsBetween(first: number, last: number): Promise<readonly string[]>
  setDialog(dialog: MaterialDialog): void
  /** Opens the editor, with a preview only if the settings or the request require one. */
  edit(materialId: MaterialId): Promise<void>
  preview(materialId: MaterialId): Promise<void>
  /** Previews opening a material that does not exist yet. */
  previewNew(materialId: MaterialId, title: string | null): Promise<void>
  open(materialId: MaterialId, title: string | null, metadata?: string): Promise<void>
  dismiss(): void
  rename(materialId: MaterialId, title: string, slug: string): Outcome
  tag(materialIds: readonly MaterialId[], add: readonly string[], remove: readonly string[]): Outcome
  refuse(materialIds: readonly MaterialId[], reason: string | null): Outcome
  /** `of`: the site of the materials, if another one may be shown by now. */
  archive(materialIds: readonly MaterialId[], isArchived: boolean, of?: string | null): Outcome
  /** Computes what a deletion would remove. */
  planDeletion(materialIds: readonly MaterialId[]): RunningTask<'materialDelete'>
  /** Deletes materials after confirmation in a system dialog; `cancelled` if declined. */
  remove(materialIds: readonly MaterialId[]): Promise<Result<PruneReport, CallProblem>>
}

/** Whether the request needs a review, or something prevents it. */
const needsPreview = ({ isConfirmed, lacksSecrets, callbackUrlChanged }: OpenPreview): boolean =>
  !isConfirmed || lacksSecrets !== null || callbackUrlChanged

const sortSchema = questionSchema.shape.sort
const initialQuestion = (): Question => ({
  ...everything,
  sort: readKept('sort:materials', sortSchema, everything.sort),
})

type Store = Pick<StoreApi<MaterialsState>, 'setState' | 'getState'>

/** Whether no other dialog was opened since. What is typed there must stay. */
const isStillShown = (begun: MaterialDialog, { dialog }: Pick<MaterialsState, 'dialog'>): boolean =>
  dialog === begun || (dialog.kind === 'none' && begun.kind === 'none')

/** Opening the editor, at once or after a preview. */
function openingActions({ setState: set, getState: get }: Store, bridge: Bridge, navigation: NavigationStore) {
  const showPreview = async (of: Pick<OpenDialog, 'materialId' | 'isNew' | 'title'>): Promise<void> => {
    const { site } = get()
    if (site === null) return
    const { materialId } = of
    const isCurrent = (): boolean => {
      const { dialog } = get()
      return dialog.kind === 'open' && dialog.materialId === materialId && get().site === site
    }
    get().setDialog({ kind: 'open', ...of, preview: { kind: 'loading' } })
    const answer = await catchUnexpected(bridge.call('previewOpen', { site, materialId }))
    if (!isCurrent()) return
    const preview: View<OpenPreview> = answer.ok
      ? { kind: 'ready', items: answer.value }
      : { kind: 'failed', problem: answer.failure }
    set({ dialog: { kind: 'open', ...of, preview } })
  }
  return {
    edit: async (materialId) => {
      const { site, opening, dialog: begun } = get()
      if (site === null || opening.kind === 'opening') return
      set({ opening: { kind: 'opening', materialId } })
      const [settings, answer] = await Promise.all([
        // Without settings, no preview was requested.
        bridge.call('readSettings', undefined).catch(() => defaultSettings),
        catchUnexpected(bridge.call('previewOpen', { site, materialId })),
      ])
      if (get().site !== site) return
      set({ opening: { kind: 'idle' } })
      const preview: View<OpenPreview> = answer.ok
        ? { kind: 'ready', items: answer.value }
        : { kind: 'failed', problem: answer.failure }
      const form: MaterialDialog = { kind: 'open', materialId, isNew: false, title: null, preview }
      if (settings.showsWhatIsSent || !answer.ok || needsPreview(answer.value)) {
        if (isStillShown(begun, get())) set({ dialog: form })
        return
      }
      await get().open(materialId, null)
      // The material's pane may not be visible: show the problem in the form.
      if (get().site === site && get().opening.kind === 'failed' && isStillShown(begun, get())) set({ dialog: form })
    },
    preview: (materialId) => showPreview({ materialId, isNew: false, title: null }),
    previewNew: (materialId, title) => showPreview({ materialId, isNew: true, title }),
    open: async (materialId, title, metadata) => {
      const { site, opening, dialog: begun } = get()
      if (site === null || opening.kind === 'opening') return
      set({ opening: { kind: 'opening', materialId } })
      const opened = await catchUnexpected(
        bridge.call('openEditor', { site, materialId, title, metadata: metadata ?? null }),
      )
      if (get().site !== site) return
      if (!opened.ok) {
        set({ opening: { kind: 'failed', materialId, problem: opened.failure } })
        return
      }
      const { url, browser } = opened.value
      set({ opening: { kind: 'opened', materialId, url, browser } })
      const isShown = isStillShown(begun, get())
      if (isShown) set({ dialog: { kind: 'none' } })
      const isNew = begun.kind === 'new' || (begun.kind === 'open' && begun.isNew)
      if (isNew && isShown) navigation.getState().choose({ screen: 'materials', materialId })
      await get().load()
    },
    dismiss: () => set({ opening: { kind: 'idle' } }),
  } satisfies Partial<MaterialsState>
}

function changingActions({ setState: set, getState: get }: Store, bridge: Bridge) {
  /** Runs a change; on success closes its dialog. */
  const change = async (run: (site: SiteId) => Outcome, site = get().site): Outcome => {
    const { dialog: begun } = get()
    if (site === null) return fail({ code: 'unknown_site' })
    const changed = await catchUnexpected(run(site))
    if (changed.ok && isStillShown(begun, get())) set({ dialog: { kind: 'none' } })
    return changed
  }
  const setFields = (
    materialIds: readonly MaterialId[],
    values: FieldsToSetOf<'material'>['set'],
    of = get().site,
  ): Outcome =>
    change((site) => {
      const keys = materialIds.map((materialId) => ({ materialId }))
      return bridge.call('setFields', { record: 'material', site, of: keys, set: values })
    }, of)
  const deletion = (materialIds: readonly MaterialId[], isDryRun: boolean): RunningTask<'materialDelete'> => {
    const site = get().site ?? ''
    return followTask(bridge, orCancelled(bridge.call('startMaterialDelete', { site, materialIds, isDryRun })))
  }
  return {
    rename: (materialId, title, slug) => setFields([materialId], { title, slug }),
    tag: (materialIds, add, remove) => setFields(materialIds, { tags: { add, remove } }),
    archive: async (materialIds, isArchived, of = get().site) => {
      const done = await setFields(materialIds, { archivedAt: isArchived ? new Date().toISOString() : null }, of)
      if (done.ok && of === get().site) set({ selected: new Set() })
      return done
    },
    planDeletion: (materialIds) => deletion(materialIds, true),
    remove: async (materialIds) => {
      const { dialog: begun } = get()
      const ended = await deletion(materialIds, false).ended
      if (ended.ok) set({ selected: new Set(), ...(isStillShown(begun, get()) && { dialog: { kind: 'none' } }) })
      return ended
    },
    refuse: (materialIds, reason) => setFields(materialIds, { refused: refusal(reason) }),
  } satisfies Partial<MaterialsState>
}

/** The materials of one site: the table, its filters, and actions on its rows. */
export function createMaterials(bridge: Bridge, navigation: NavigationStore) {
  const materialRows = createPages<MaterialRow>(async (offset, limit) => {
    const { site, question } = materials.getState()
    if (site === null) return { total: 0, rows: [] }
    return await bridge.call('queryMaterials', { ...queryOf(site, question, Date.now()), offset, limit })
  })
  const views = createSavedViews(bridge, 'materials')
  const loadFacets = oneAtATime(async () => {
    const { site, question } = materials.getState()
    if (site === null) return
    const { archived } = question
    // Filter values are optional: ignore their failure.
    const facets = await bridge.call('materialFacets', { site, archived }).catch(() => null)
    if (materials.getState().site === site) materials.setState({ facets })
  })
  const materials = createStore<MaterialsState>()((set, get, store) => ({
    site: null,
    question: initialQuestion(),
    facets: null,
    selected: new Set(),
    opening: { kind: 'idle' },
    dialog: { kind: 'none' },
    load: async () => {
      if (get().site !== null) await Promise.all([materialRows.getState().refresh(), loadFacets()])
    },
    show: (site) => {
      if (site === get().site) return
      set({
        site,
        question: initialQuestion(),
        facets: null,
        selected: new Set(),
        opening: { kind: 'idle' },
        dialog: { kind: 'none' },
      })
      views.getState().show(site)
      void materialRows.getState().restart()
      void loadFacets()
    },
    ask: (change) => {
      const question = { ...get().question, ...change }
      set({ question, selected: new Set() })
      if (change.sort && change.sort.column !== 'relevance') keep('sort:materials', change.sort)
      void materialRows.getState().renew()
      if (change.archived !== undefined) void loadFacets()
    },
    search: (text) => {
      const { question, ask } = get()
      const isBegun = text.trim() !== '' && question.text.trim() === ''
      const isEnded = text.trim() === '' && question.sort.column === 'relevance'
      ask({ text, ...(isBegun && { sort: bestFirst }), ...(isEnded && { sort: initialQuestion().sort }) })
    },
    select: (selected) => set({ selected }),
    idsBetween: async (first, last) => {
      const { site, question } = get()
      if (site === null) return []
      const ids = await bridge.call('materialIds', queryOf(site, question, Date.now()))
      // The list may show another site or question by now.
      return get().question === question ? ids.slice(first, last + 1) : []
    },
    setDialog: (dialog) => set({ dialog, opening: { kind: 'idle' } }),
    ...openingActions(store, bridge, navigation),
    ...changingActions(store, bridge),
  }))
  const table = whileShown(bridge, navigation, ['materials'])
  onChange(table, ['materials', 'marks', 'rules'], () => void materials.getState().load())
  // The screen of one material suggests tags.
  onChange(bridge, ['materials'], () => currentView(navigation.getState()).screen === 'material' && void loadFacets())
  return { materials, materialRows, views }
}

export type Materials = ReturnType<typeof createMaterials>

export const [useMaterials, provideMaterials] = createStoreContext<MaterialsState>('materials')

export const [useMaterialRows, provideMaterialRows] = createStoreContext<PagesState<MaterialRow>>('rows of materials')

export const [useMaterialViews, provideMaterialViews] = createStoreContext<SavedViewsState>('views of materials')
