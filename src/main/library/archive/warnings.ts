import type { Remark, RemarkCode } from '../../../contract/domain/remark.ts'

/** Remarks about a save that was stored all the same. */
export interface Warnings {
  /** `name` is the file that it is about, where there is one. */
  add(code: RemarkCode, name?: string): void
  /** At most `warningsMax`, the last one counting the rest. */
  list(): readonly Remark[]
}

/** They are stored with the version and shown as a list: more than this helps nobody, and the archive decides how many. */
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
