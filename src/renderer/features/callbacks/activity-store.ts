import { activityHours } from '@galley/library/records'
import type { ActivityHour } from '@galley/library/records'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { ListState } from './store.ts'

const hourMs = 3_600_000

export interface Activity {
  readonly sinceMs: number
  /** null until loaded, and after a failure. */
  readonly hours: readonly ActivityHour[] | null
  load(): Promise<void>
}
export type ActivityStore = StoreApi<Activity>

/** Start of the chart's first hour; the last one is the local hour of `nowMs`. */
export const firstHourMs = (nowMs: number): number => new Date(nowMs).setMinutes(0, 0, 0) - (activityHours - 1) * hourMs

/** Callbacks per hour over the last 24 hours, live, for the list's sites; other filters do not apply. */
export function createActivity(bridge: Bridge, list: StoreApi<ListState>): ActivityStore {
  const scope = (): string | null => list.getState().filters().site
  const load = oneAtATime(async () => {
    const [site, sinceMs] = [scope(), firstHourMs(Date.now())]
    const since = new Date(sinceMs).toISOString()
    // The chart is optional: ignore its failure.
    const hours = await bridge.call('callbackActivity', { site, since }).catch(() => null)
    if (scope() === site) activity.setState({ hours, sinceMs })
  })
  const activity = createStore<Activity>()(() => ({ sinceMs: 0, hours: null, load }))
  let shown = scope()
  list.subscribe(() => {
    if (scope() === shown) return
    shown = scope()
    activity.setState({ hours: null })
    void load()
  })
  onChange(bridge, ['callbacks'], () => void load())
  return activity
}

export const [useActivity, provideActivity] = createStoreContext<Activity>('activity')
