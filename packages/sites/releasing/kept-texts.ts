import type { IndexReads } from '@galley/library'
import { isStorageFault } from '@galley/platform'

import { readRecord } from './release-record.ts'
import type { TextStore } from './text-store.ts'

// A text is kept as long as one of the releases that can be published again needs it: on the computer that published it,
// and in the bucket of its team.

interface Ports {
  readonly index: Pick<IndexReads, 'releases'>
  readonly texts: TextStore
}

/** The lists of the releases that can be published again, and the texts in those that `read` finds; it did not find `unread`. */
async function keptTexts(index: Ports['index'], read: TextStore['read']) {
  const records = [...index.releases.keptRecords()]
  const texts = new Set<string>()
  const unread: string[] = []
  for (const record of records) {
    const text = await read(record)
    const files = text && readRecord(text.toString())
    if (files === null) unread.push(record)
    else for (const { sha256, stored } of files) if (!stored) texts.add(sha256)
  }
  return { records, texts: [...texts], unread }
}

/** Deletes the texts on this computer that no such release needs. */
export async function sweepTexts({ index, texts }: Ports): Promise<void> {
  const kept = await keptTexts(index, texts.readHere)
  await texts.keepOnly(new Set([...kept.records, ...kept.texts]))
}

/**
 * Sends what this computer has to the other members of its team, also what was not sent before because the bucket could not
 * be reached. A list is sent after the texts that it names.
 */
export async function shareTexts({ index, texts }: Ports): Promise<void> {
  const { shared, readHere } = texts
  if (shared === null) return
  const kept = await keptTexts(index, readHere)
  await shared.send([kept.texts, kept.records], readHere)
}

/**
 * Removes texts from the bucket that no such release needs, and returns how many; only counts them in a dry run. `follow`
 * reads the log of the team to its end. Nothing is removed where this disk has no room for that, or if a list is in the bucket
 * and cannot be read. Throws storage faults.
 */
export async function collectShared(
  { index, texts }: Ports,
  follow: () => Promise<unknown>,
  { isDryRun, signal }: { readonly isDryRun: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const wanted = async (there: ReadonlySet<string>): Promise<ReadonlySet<string> | null> => {
    try {
      await follow()
    } catch (error) {
      if (!isStorageFault(error)) throw error
      return null
    }
    const kept = await keptTexts(index, texts.read)
    return kept.unread.some((record) => there.has(record)) ? null : new Set([...kept.records, ...kept.texts])
  }
  return (await texts.shared?.keepOnly(wanted, isDryRun, signal)) ?? 0
}
