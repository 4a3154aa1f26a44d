import { isUnreadable, readLogObject } from '../../../../packages/library/team/entry-object.ts'
import type { Answer, Request } from '../../../../packages/library/team/requests.ts'

// A strongly consistent bucket whose only condition is that of creating a key.

/** Faults of this bucket's client: rules of the protocol that are broken on purpose. */
export interface ClientTwins {
  /** Takes 409 for success. */
  readonly ignores409?: boolean
  readonly deletesFoldedEntries?: boolean
  /** Does not send a file if the bucket has an object with that hash. */
  readonly skipsUploadsByHead?: boolean
  /** Counts all files of a parallel upload as stored if some are. */
  readonly countsLostUploads?: boolean
  /** The storage accepts the condition and ignores it. */
  readonly ignoresCondition?: boolean
}

export function createModelBucket(twins: ClientTwins) {
  const objects = new Map<string, Uint8Array>()
  /** Every entry that was ever created, by position. */
  const history: Uint8Array[] = []
  const faults: string[] = []
  let foreign: { readonly key: string; readonly before: Uint8Array | undefined } | null = null

  const isThere = (file: string): boolean => [...objects.keys()].some((key) => key.startsWith(`files/${file}`))

  /** Carries out a request atomically. Requests about checkpoints include their bytes. */
  function perform(request: Request, checkpoint: Uint8Array): Answer {
    switch (request.kind) {
      case 'create': {
        if (objects.has(request.key) && !twins.ignoresCondition) return { kind: 'exists' }
        const found = readLogObject(request.bytes)
        if (found.kind !== 'entry') throw new Error('Only entries are created')
        if (history.length + 1 !== found.position)
          faults.push(`entry ${found.position} was created as ${history.length + 1}.`)
        history.push(request.bytes)
        objects.set(request.key, request.bytes)
        return { kind: 'created' }
      }
      case 'get': {
        const found: Uint8Array[] = []
        for (const key of request.keys) {
          const bytes = objects.get(key)
          if (bytes === undefined) break
          found.push(bytes)
        }
        return { kind: 'found', objects: found, isCut: false }
      }
      case 'list': {
        const keys = [...objects.keys()]
          .filter((key) => key.startsWith(request.under) && key > request.after)
          .toSorted()
        // Two per page, so that there are several pages.
        return { kind: 'listed', keys: keys.slice(0, 2), objects: new Map() }
      }
      case 'replace':
        for (const key of request.keys)
          if (twins.deletesFoldedEntries) objects.delete(key)
          else objects.set(key, request.bytes)
        return { kind: 'done' }
      case 'upload':
        for (const { file, key } of request.files)
          if (!twins.skipsUploadsByHead || !isThere(file)) objects.set(key, new Uint8Array())
        return { kind: 'uploaded', keys: request.files.map(({ key }) => key) }
      case 'remove':
        for (const key of request.keys) objects.delete(key)
        return { kind: 'done' }
      case 'send_checkpoint':
        objects.set(request.key, checkpoint)
        return { kind: 'done' }
      case 'load_checkpoint':
      case 'check_checkpoint':
        return objects.has(request.key) ? { kind: 'done' } : { kind: 'absent' }
      case 'wait':
        return { kind: 'waited', isLate: false }
    }
  }

  return {
    objects,
    history,
    faults,
    twins,
    perform,
    /** Puts an object that is not an entry under the key of an entry, until a person removes it. */
    putForeign(key: string, bytes: Uint8Array): void {
      if (foreign !== null) return
      foreign = { key, before: objects.get(key) }
      objects.set(key, bytes)
    },
    mend(): void {
      if (foreign === null) return
      const { key, before } = foreign
      foreign = null
      // A fold has replaced it in the meantime.
      if (!isUnreadable(readLogObject(objects.get(key) ?? new Uint8Array()))) return
      if (before === undefined) objects.delete(key)
      else objects.set(key, before)
    },
  }
}

export type ModelBucket = ReturnType<typeof createModelBucket>
