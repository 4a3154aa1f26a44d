import type { Galley } from '../../galley.ts'
import { gathered } from '../../platform/timing/gathered.ts'
import type { Push } from '../../platform/electron/serve.ts'

/** How long changes are gathered before the window is told: a burst of saves is one re-read. */
const gatherMs = 50

/** Tells the windows of everything that happens in a library, until the returned function is called. */
export function pushChanges(galley: Galley, push: Push): () => void {
  const changed = gathered(gatherMs, () =>
    push('changed', { subjects: ['sites', 'materials', 'snapshots', 'callbacks', 'exports', 'rules'] }),
  )
  const stops = [
    galley.watch(changed.soon),
    galley.onListenerState((state) => push('listenerState', state)),
    galley.settings.onChange((settings) => push('settings', settings)),
    galley.onRedaction((state) => push('redaction', state)),
    galley.tasks.onChange((task) => push('taskChanged', task)),
    galley.onCallback((id) => {
      const row = galley.index.callbackList.find(id)
      if (row) push('callbackArrived', row)
    }),
    changed.stop,
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
