import type { FontUsage, SnapshotDetail, SnapshotDifference, SnapshotRow } from '@galley/library/records'
import type { SiteId, SnapshotId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { catchUnexpected, viewOf, viewOfAnswer } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { followTask } from '../../bridge/follow-task.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'

export interface FontsState {
  readonly site: SiteId | null
  readonly view: View<readonly SnapshotRow[]>
  load(): Promise<void>
  show(site: SiteId | null): void
}

export function createFonts(bridge: Bridge): StoreApi<FontsState> {
  const fonts = createStore<FontsState>()((set, get) => ({
    site: null,
    view: { kind: 'loading' },
    load: oneAtATime(async () => {
      const { site } = get()
      if (site === null) return
      const view = await viewOf(bridge.call('querySnapshots', { site }))
      if (get().site === site) set({ view })
    }),
    show: (site) => {
      if (site === get().site) return
      set({ site, view: { kind: 'loading' } })
      void get().load()
    },
  }))
  onChange(bridge, ['snapshots'], () => void fonts.getState().load())
  return fonts
}

/** A font set never changes, so it is read only once. */
export interface SnapshotState {
  readonly key: string | null
  readonly view: View<SnapshotDetail>
  show(site: SiteId | null, snapshotId: SnapshotId | null): void
  retry(): void
}

/** The selected font set with its faces. */
function createSnapshot(bridge: Bridge): StoreApi<SnapshotState> {
  return createStore<SnapshotState>()((set, get) => {
    let read = async (): Promise<void> => undefined
    return {
      key: null,
      view: { kind: 'loading' },
      show(site, snapshotId) {
        const key = site === null || snapshotId === null ? null : JSON.stringify([site, snapshotId])
        if (key === get().key) return
        set({ key, view: { kind: 'loading' } })
        if (site === null || snapshotId === null) return
        read = async () => {
          const answer = await catchUnexpected(bridge.call('inspectSnapshot', { site, snapshotId }))
          if (get().key === key) set({ view: viewOfAnswer(answer) })
        }
        void read()
      },
      retry: () => void read(),
    }
  })
}

/** Usage of a font set; read again for every request, since pages change. */
export interface UsageState {
  readonly view: View<FontUsage>
  ask(site: SiteId, snapshotId: SnapshotId): Promise<void>
}

/** The families of a font set that current pages use, read on demand. */
function createUsage(bridge: Bridge): StoreApi<UsageState> {
  let asked = 0
  return createStore<UsageState>()((set) => ({
    view: { kind: 'loading' },
    async ask(site, snapshotId) {
      asked += 1
      const question = asked
      set({ view: { kind: 'loading' } })
      const { ended } = followTask<'fontUsage'>(bridge, bridge.call('startFontUsage', { site, snapshotId }))
      const answer = await ended
      if (question === asked) set({ view: viewOfAnswer(answer) })
    },
  }))
}

export interface DifferenceState {
  readonly view: View<SnapshotDifference>
  compare(site: SiteId, before: string, after: string): Promise<void>
}

/** The differences between two font sets. */
function createDifference(bridge: Bridge): StoreApi<DifferenceState> {
  let asked = 0
  return createStore<DifferenceState>()((set) => ({
    view: { kind: 'loading' },
    async compare(site, before, after) {
      asked += 1
      const question = asked
      set({ view: { kind: 'loading' } })
      const answer = await catchUnexpected(bridge.call('compareSnapshots', { site, before, after }))
      if (question === asked) set({ view: viewOfAnswer(answer) })
    },
  }))
}

const [useFonts, provideFonts] = createStoreContext<FontsState>('font sets')

const [useSnapshot, provideSnapshot] = createStoreContext<SnapshotState>('chosen font set')

const [useFontUsage, provideFontUsage] = createStoreContext<UsageState>('usage of fonts')

const [useFontDifference, provideFontDifference] = createStoreContext<DifferenceState>('difference of font sets')

export { useFonts, useSnapshot, useFontUsage, useFontDifference }

/** The font sets of a site, and the content of the selected one. */
export function createFontStores(services: Services): readonly Provide[] {
  const { navigation } = services
  const bridge = whileShown(services.bridge, navigation, ['fonts'])
  const fonts = createFonts(bridge)
  const snapshot = createSnapshot(bridge)
  followOn(navigation, ['fonts'], (site, { snapshotId }) => {
    fonts.getState().show(site)
    snapshot.getState().show(site, snapshotId)
  })
  return [
    provideFonts(fonts),
    provideSnapshot(snapshot),
    provideFontUsage(createUsage(bridge)),
    provideFontDifference(createDifference(bridge)),
  ]
}
