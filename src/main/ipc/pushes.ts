import type { AppSettingsStore, ChangeFeed, IndexReads, Listening, Tasks } from '@galley/library'
import { anyChange } from '@galley/library/records'
import { coalesced } from '@galley/platform'
import type { TeamStateFeed } from '@galley/team'

import type { Push } from '../electron/serve.ts'

/** How long saves and changes of other processes are collected, so that several cause one refresh. */
const batchMs = 50

export interface PushedPorts {
  readonly index: IndexReads
  readonly changes: ChangeFeed
  readonly listener: Pick<Listening, 'onState'>
  readonly settings: Pick<AppSettingsStore, 'onChange'>
  readonly tasks: Pick<Tasks, 'onChange'>
  readonly teamState: TeamStateFeed
}

/** Makes the windows read everything again. */
export const pushEverything = (push: Push): void => push('changed', anyChange)

/** Notifies the windows about all changes of a library, until the returned function is called. */
export function pushChanges(ports: PushedPorts, push: Push): () => void {
  const changed = coalesced(batchMs, () => pushEverything(push))
  // The library may have been reopened, with a team or without one.
  push('team', ports.teamState.view())
  const stops = [
    // A change that says what it is of is one act of a person, who waits for what it shows.
    ports.changes.watch((change) => (change === anyChange ? changed.soon() : push('changed', change))),
    ports.listener.onState((state) => push('listenerState', state)),
    ports.settings.onChange((settings) => push('settings', settings)),
    ports.tasks.onChange((task) => push('taskChanged', task)),
    ports.teamState.watch((view) => push('team', view)),
    ports.changes.onCallback((id) => {
      const row = ports.index.callbackList.find(id)
      if (row) push('callbackArrived', row)
    }),
    changed.stop,
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
