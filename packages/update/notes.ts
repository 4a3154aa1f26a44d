import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Cause } from '@galley/wire'
import { isCauseCode } from '@galley/wire'
import { z } from 'zod'

const fact = z.union([z.string(), z.number()])
const storedCause: z.ZodType<Cause> = z.object({
  code: z.string().refine(isCauseCode),
  name: fact.optional(),
  why: z.union([fact, z.lazy(() => storedCause)]).optional(),
})

const form = z.object({
  /** When the feed was last asked for. */
  checkedAt: z.iso.datetime().nullable().catch(null),
  /** The date of the newest release that was seen. */
  seenDate: z.iso.datetime().nullable().catch(null),
  /** The version that a person does not want. */
  skipped: z.string().nullable().catch(null),
  /** The last feed with a valid signature, which is checked again when it is read. */
  feed: z.string().nullable().catch(null),
  /** Why the last check, download or installation failed. */
  problem: storedCause.nullable().catch(null),
})

/** What this computer remembers of updates, for every library of this user. */
export type Notes = z.infer<typeof form>

/** What is missing or unreadable was not known. */
export function readNotes(file: string): Notes {
  const read = (): unknown => {
    try {
      return JSON.parse(readFileSync(file, 'utf8'))
    } catch {
      return {}
    }
  }
  const found = form.safeParse(read())
  return found.success ? found.data : form.parse({})
}

/** Throws errors of the disk. */
export function writeNotes(file: string, notes: Notes): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, JSON.stringify(notes), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
