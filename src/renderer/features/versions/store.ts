import { create } from 'zustand'
import type { StoreApi, UseBoundStore } from 'zustand'

import type { Bridge, VersionDetail } from '../../../contract/ipc.ts'
import { fail } from '../../../contract/result.ts'
import type { VersionSummary } from '../../../contract/version.ts'
import { texts } from '../../texts.ts'
import { oneAtATime } from '../../ui/one-at-a-time.ts'
import { itemsOf, viewOf } from '../../ui/view.ts'
import type { View } from '../../ui/view.ts'

/** Whose versions are shown. */
export interface VersionsOf {
  readonly site: string
  readonly materialId: string
}

export interface VersionsState {
  readonly of: VersionsOf | null
  readonly view: View<readonly VersionSummary[]>
  /** What the person chose; null means the current version, also when a newer save becomes that. */
  readonly selectedId: string | null
  readonly detail: View<VersionDetail>
  load(): Promise<void>
  show(of: VersionsOf | null): void
  select(versionId: string): void
}

/** The version in the inspector: the chosen one, else the current one. */
export const shownVersion = ({
  view,
  selectedId,
}: Pick<VersionsState, 'view' | 'selectedId'>): VersionSummary | null => {
  const versions = itemsOf(view)
  return (
    versions.find((version) => version.versionId === selectedId) ?? versions.find((version) => version.current) ?? null
  )
}

/** The versions of one material, newest first, and the content of the one in the inspector. */
export function createVersions(bridge: Bridge): UseBoundStore<StoreApi<VersionsState>> {
  const isFor = (state: VersionsState, of: VersionsOf): boolean =>
    state.of?.site === of.site && state.of.materialId === of.materialId

  const versions = create<VersionsState>()((set, get) => {
    const loadDetail = oneAtATime(async () => {
      const { of, detail } = get()
      const versionId = shownVersion(get())?.versionId
      if (of === null || versionId === undefined) return
      // A stored version never changes, so one that is shown already is not read again.
      if (detail.kind === 'ready' && detail.items.version.versionId === versionId) return
      const answer = await bridge.call('showVersion', { ...of, versionId }).catch(() => fail(null))
      if (!isFor(get(), of) || shownVersion(get())?.versionId !== versionId) return
      set({
        detail: answer.ok
          ? { kind: 'ready', items: answer.value }
          : { kind: 'failed', reason: answer.failure?.message ?? texts.versions.detailFailed },
      })
    })
    return {
      of: null,
      view: { kind: 'loading' },
      selectedId: null,
      detail: { kind: 'loading' },
      load: oneAtATime(async () => {
        const { of } = get()
        if (of === null) return
        const view = await viewOf(bridge.call('listVersions', of), texts.versions.failed)
        if (!isFor(get(), of)) return
        set({ view })
        await loadDetail()
      }),
      show: (of) => {
        if (of === null ? get().of === null : isFor(get(), of)) return
        set({ of, view: { kind: 'loading' }, selectedId: null, detail: { kind: 'loading' } })
        void get().load()
      },
      select: (versionId) => {
        if (shownVersion(get())?.versionId !== versionId) set({ detail: { kind: 'loading' } })
        set({ selectedId: versionId })
        void loadDetail()
      },
    }
  })
  bridge.on('changed', ({ subjects }) => {
    if (subjects.includes('materials')) void versions.getState().load()
  })
  return versions
}
