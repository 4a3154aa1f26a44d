import type { RemarkCode } from '../../contract/remark.ts'
import { remark } from '../../contract/remark.ts'

/** Remarks about a save that was stored all the same. */
export interface Warnings {
  /** `name` is the file that it is about, where there is one. */
  add(code: RemarkCode, name?: string): void
  /** Their sentences, at most `warningsMax`, the last one counting the rest. */
  list(): readonly string[]
}

/** They are stored with the version and shown as a list: more than this helps nobody, and the archive decides how many. */
const warningsMax = 100

export function createWarnings(): Warnings {
  const first: string[] = []
  let count = 0
  return {
    add: (code, name) => {
      count += 1
      if (count <= warningsMax) first.push(remark(code, name))
    },
    list: () =>
      count <= warningsMax ? first : [...first.slice(0, -1), remark('more', String(count - warningsMax + 1))],
  }
}
