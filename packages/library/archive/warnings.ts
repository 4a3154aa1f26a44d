import type { Remark, RemarkCode } from '../records/remark.ts'
import { limitedRemarks, remarksMax } from '../records/remark.ts'

/** Remarks about a save that was stored. */
export interface Warnings {
  /** `name` is the file concerned, if there is one. */
  add(code: RemarkCode, name?: string): void
  /** At most `remarksMax`. The last one counts the omitted ones. */
  list(): readonly Remark[]
}

export function createWarnings(): Warnings {
  const first: Remark[] = []
  let count = 0
  return {
    add: (code, name = '') => {
      count += 1
      if (count <= remarksMax) first.push({ code, name })
    },
    list: () => limitedRemarks([...first, { code: 'more', name: String(count - first.length) }]),
  }
}
