import type { Bridge } from '../../../contract/ipc/calls.ts'
import type { TaskKind } from '../../../contract/ipc/tasks.ts'
import { onChange } from '../../bridge/on-change.ts'

/** Work that changes what this screen tells, whoever started it. */
const caring: ReadonlySet<TaskKind> = new Set(['libraryCheck', 'backup', 'restore', 'collect', 'prune'])

/** Looks whenever something has happened that the health of the library depends on, until the returned function is called. */
export function watchHealth(bridge: Bridge, look: () => void): () => void {
  const stops = [
    onChange(bridge, ['rules', 'sites'], look),
    bridge.on('taskChanged', ({ kind, end }) => {
      if (caring.has(kind) && end.kind !== 'running') look()
    }),
    bridge.on('settings', look),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
