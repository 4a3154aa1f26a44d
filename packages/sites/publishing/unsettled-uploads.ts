import { randomUUID } from 'node:crypto'
import type { createSettings } from '@galley/library'
import { isRunning } from '@galley/platform'
import { z } from 'zod'

/** `key`: the path in the store; `path`: the public one. */
const sentFile = z.object({ key: z.string(), path: z.string() })
export type SentFile = Readonly<z.infer<typeof sentFile>>

/** The files that a save has sent, or may have, before its result is known. */
const unsettledUploads = z.object({
  /** The address of the store. */
  root: z.string(),
  objects: z.array(sentFile),
  /** Uploads in parts that have started. */
  uploads: z.array(z.object({ key: z.string(), id: z.string() })),
})
export type UnsettledUploads = z.infer<typeof unsettledUploads>

const start = 'unsettled-upload/'

/**
 * Records uploads on this computer, so that leftovers of a killed process are found in their store. A record is durable
 * before the first byte is sent, and deleted when the save has ended.
 */
export function createUnsettledUploads(
  settings: Pick<ReturnType<typeof createSettings>, 'put' | 'forget' | 'startingWith'>,
) {
  const own = new Set<string>()
  /** Deletes the record, or with `later` keeps it for the next save to this store. */
  const ending =
    (name: string) =>
    (when: 'now' | 'later'): void => {
      own.delete(name)
      if (when === 'now') settings.forget(name)
    }

  return {
    begin() {
      const name = `${start}${process.pid}/${randomUUID()}`
      own.add(name)
      return {
        note: (uploads: UnsettledUploads): void => settings.put(name, JSON.stringify(unsettledUploads.parse(uploads))),
        end: ending(name),
      }
    },

    /** The uploads that dead processes left in this store, each returned once until it is settled. */
    leftIn(root: string): readonly { readonly uploads: UnsettledUploads; readonly end: ReturnType<typeof ending> }[] {
      return settings.startingWith(start).flatMap(({ name, value }) => {
        const processId = Number(name.slice(start.length).split('/')[0])
        const uploads = unsettledUploads.parse(JSON.parse(value))
        const isActive = own.has(name) || (processId !== process.pid && isRunning(processId))
        if (isActive || uploads.root !== root) return []
        own.add(name)
        return [{ uploads, end: ending(name) }]
      })
    },
  }
}

export type Notes = ReturnType<ReturnType<typeof createUnsettledUploads>['begin']>
