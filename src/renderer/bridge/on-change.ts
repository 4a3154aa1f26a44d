import type { MaterialRef } from '@galley/library/records'

import type { Bridge, Subject } from '../../ipc/calls.ts'

/**
 * Calls `read` whenever rows of these subjects may have changed. Pushes carry no data, so the feature must reload.
 * `shown`: the only material that it shows.
 */
export function onChange(
  bridge: Bridge,
  subjects: readonly Subject[],
  read: () => void,
  shown?: () => MaterialRef | null,
): () => void {
  return bridge.on('changed', ({ subjects: changed, materials }) => {
    const of = shown?.()
    const isOther = (one: MaterialRef): boolean => one.site !== of?.site || one.materialId !== of.materialId
    if (shown && materials?.every(isOther)) return
    if (changed.some((subject) => subjects.includes(subject))) read()
  })
}
