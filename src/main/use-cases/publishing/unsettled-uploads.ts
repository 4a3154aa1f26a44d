import { randomUUID } from 'node:crypto'
import { z } from 'zod'

import type { createSettings } from '../../library/db/settings.ts'
import { isRunning } from './temporary-files.ts'

const uploadedObject = z.object({ key: z.string(), path: z.string() })
/** An object, with the public path that it is for. */
export type UploadedObject = Readonly<z.infer<typeof uploadedObject>>

/** What a save has put into a bucket, or may have, while nobody knows yet whether it will be stored. */
const unsettledUploads = z.object({
  /** Address of the bucket. */
  root: z.string(),
  objects: z.array(uploadedObject),
  /** Uploads in parts that have begun. */
  uploads: z.array(z.object({ key: z.string(), id: z.string() })),
})
export type UnsettledUploads = z.infer<typeof unsettledUploads>

const start = 'unsettled-upload/'

/**
 * Notes of uploads on this machine, so that what a killed process has left in a bucket is found again. A note is durable
 * before the first byte is sent, and gone when the save has ended.
 */
export function createUnsettledUploads(settings: ReturnType<typeof createSettings>) {
  const own = new Set<string>()
  /** Nothing is left to look after; `later`: something is, for the next save into this bucket. */
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

    /** What dead processes have left in this bucket, each told once until it is ended. */
    leftIn(root: string): readonly { readonly uploads: UnsettledUploads; readonly end: ReturnType<typeof ending> }[] {
      return settings.startingWith(start).flatMap(({ name, value }) => {
        const processId = Number(name.slice(start.length).split('/')[0])
        const uploads = unsettledUploads.parse(JSON.parse(value))
        const isUnderWay = own.has(name) || (processId !== process.pid && isRunning(processId))
        if (isUnderWay || uploads.root !== root) return []
        own.add(name)
        return [{ uploads, end: ending(name) }]
      })
    },
  }
}

export type Notes = ReturnType<ReturnType<typeof createUnsettledUploads>['begin']>
