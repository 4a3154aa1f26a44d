import type { FontUsage, SnapshotDetail, SnapshotDifference, SnapshotRow } from '@galley/library/records'
import type { SiteId, SnapshotId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { catchUnexpected, viewOf, viewOfAnswer, viewOfCall } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { followTask } from '../../bridge/follow-task.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createShown } from '../../stores/shown.ts'
import type { Shown } from '../../stores/shown.ts'

export function createFonts(bridge: Bridge) {
  const fonts = createShown((site: SiteId) => viewOf(bridge.call('querySnapshots', { site })))
  onChange(bridge, ['snapshots'], () => void fonts.getState().load())
  return fonts
}

interface SnapshotRef {
  readonly site: SiteId
  readonly snapshotId: SnapshotId
}

/** The selected font set with its faces. It never changes, so it is read only once. */
const createSnapshot = (bridge: Bridge) =>
  createShown((of: SnapshotRef) => viewOfCall(bridge.call('inspectSnapshot', of)))

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

const [useFonts, provideFonts] = createStoreContext<Shown<SiteId, readonly SnapshotRow[]>>('font sets')

const [useSnapshot, provideSnapshot] = createStoreContext<Shown<SnapshotRef, SnapshotDetail>>('chosen font set')

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
    snapshot.getState().show(site === null || snapshotId === null ? null : { site, snapshotId })
  })
  return [
    provideFonts(fonts),
    provideSnapshot(snapshot),
    provideFontUsage(createUsage(bridge)),
    provideFontDifference(createDifference(bridge)),
  ]
}
