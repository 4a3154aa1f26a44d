import { timeZone } from '@galley/library/records'
import type { SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import type { ReleaseContents, ReleaseRow, TargetRow } from '../../../ipc/publishing.ts'
import { viewOf, viewOfCall } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'

/** The open dialog. */
export type TargetDialogKind =
  | { readonly kind: 'closed' }
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'remove' | 'check'; readonly target: TargetRow }

export interface TargetsState {
  readonly site: SiteId | null
  readonly view: View<readonly TargetRow[]>
  /** The zone of the schedules; null: not known yet. */
  readonly timeZone: string | null
  readonly dialog: TargetDialogKind
  show(site: SiteId | null): void
  load(): Promise<void>
  open(dialog: TargetDialogKind): void
}

/** The targets of a site with their state. */
export function createTargets(bridge: Bridge): StoreApi<TargetsState> {
  const targets = createStore<TargetsState>()((set, get) => ({
    site: null,
    view: { kind: 'loading' },
    timeZone: null,
    dialog: { kind: 'closed' },
    show(site) {
      if (site === get().site) return
      set({ site, view: { kind: 'loading' }, dialog: { kind: 'closed' } })
      void get().load()
    },
    load: oneAtATime(async () => {
      const { site } = get()
      if (site === null) return
      const [view, said] = await Promise.all([
        viewOf(bridge.call('listTargets', { site })),
        viewOf(bridge.call('sitePublishing', { site })),
      ])
      if (get().site !== site) return
      if (said.kind === 'ready' && said.items.ok) set({ timeZone: timeZone(said.items.value.timeZone).name })
      if (view.kind !== 'ready') set({ view })
      else if (view.items.ok) set({ view: { kind: 'ready', items: view.items.value } })
      else set({ view: { kind: 'failed', problem: view.items.failure } })
    }),
    open: (dialog) => set({ dialog }),
  }))
  onChange(bridge, ['targets', 'materials', 'marks', 'exports', 'sites'], () => void targets.getState().load())
  return targets
}

/** The target with this name, once the targets are loaded. */
export const targetIn = ({ view }: Pick<TargetsState, 'view'>, name: string | null): TargetRow | null =>
  view.kind === 'ready' ? (view.items.find((target) => target.name === name) ?? null) : null

export interface HistoryState {
  /** The target and its newest release: a new release reloads the history. */
  readonly key: string | null
  readonly of: { readonly site: SiteId; readonly target: string } | null
  readonly view: View<readonly ReleaseRow[]>
  /** The changes of releases by ID, loaded on demand. */
  readonly contents: ReadonlyMap<string, View<ReleaseContents>>
  show(target: TargetRow): Promise<void>
  read(release: string): Promise<void>
}

/** The releases of the chosen target, newest first. */
export function createHistory(bridge: Bridge): StoreApi<HistoryState> {
  return createStore<HistoryState>()((set, get) => ({
    key: null,
    of: null,
    view: { kind: 'loading' },
    contents: new Map(),
    async read(release) {
      const { of, contents } = get()
      if (of === null || contents.get(release)?.kind === 'ready') return
      const put = (view: View<ReleaseContents>): void =>
        set({ contents: new Map([...get().contents, [release, view]]) })
      put({ kind: 'loading' })
      put(await viewOfCall(bridge.call('readRelease', { ...of, release })))
    },
    async show({ site, name, current }) {
      const key = JSON.stringify([site, name, current?.releaseId])
      if (key === get().key && get().view.kind !== 'failed') return
      const isSameTarget = get().key?.startsWith(JSON.stringify([site, name]).slice(0, -1)) === true
      set({ key, of: { site, target: name }, ...(!isSameTarget && { view: { kind: 'loading' } }) })
      const view = await viewOfCall(bridge.call('targetHistory', { site, target: name }))
      if (get().key === key) set({ view })
    },
  }))
}

export const [useTargets, provideTargets] = createStoreContext<TargetsState>('targets')
export const [useHistory, provideHistory] = createStoreContext<HistoryState>('releases of a target')
