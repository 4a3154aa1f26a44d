import type { Remark, RemarkCode } from '../../../contract/domain/remark.ts'

/** Remarks about a save that was stored. */
export interface Warnings {
  /** `name` is the file concerned, if there is one. */
  add(code: RemarkCode, name?: string): void
  /** At most `warningsMax`. The last one counts the omitted ones. */
  list(): readonly Remark[]
}

/** Remarks are stored with the version and shown as a list. The archive determines their number, so it is limited. */
const warningsMax = 100

export function createWarnings(): Warnings {
  const first: Remark[] = []
  let count = 0
  return {
    add: (code, name = '') => {
      count += 1
      if (count <= warningsMax) first.push({ code, name })
    },
    list: () =>
      count <= warningsMax ? first : [...first.slice(0, -1), { code: 'more', name: String(count - warningsMax + 1) }],
  }
}
