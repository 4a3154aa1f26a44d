import type { Bridge, Subject } from '../../ipc/calls.ts'

/** Calls `read` whenever rows of these subjects may have changed. Pushes carry no data, so the feature must reload. */
export function onChange(bridge: Bridge, subjects: readonly Subject[], read: () => void): () => void {
  return bridge.on('changed', (event) => {
    if (event.subjects.some((subject) => subjects.includes(subject))) read()
  })
}
