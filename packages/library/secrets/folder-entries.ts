import { randomUUID } from 'node:crypto'
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok, parsedJson } from '@galley/wire'

import type { SecretStore } from './store.ts'

/** Says which entries of the keychain belong to the library in a folder. Contains no secret. */
const fileName = 'keychain.json'

/** The content of the file. */
interface Entries {
  /** Ends the names of this folder's entries; '' for the first folder of a library on this computer. */
  readonly tag: string
  /** The tags of the folders that it was copied from, newest first. */
  readonly from: readonly string[]
  /** Where the folder was when it was last opened. */
  readonly folder: string
}

const none: Entries = { tag: '', from: [], folder: '' }

/**
 * Gives a copy of a library folder entries of its own in the keychain, because both folders may be used: what one removes
 * or changes there, the other would lose. A folder is a copy if the library is also in the place that the file names;
 * otherwise it was moved. Returns whether it is a copy that was opened for the first time. A folder that cannot be written
 * keeps its entries, since it cannot change them either.
 */
export function claimEntries(folder: string): boolean {
  const here = realpathSync(folder)
  const known = entriesOf(here)
  if (known?.folder === here) return false
  const isCopy = known !== null && isSameLibrary(known, here)
  const claimed = isCopy ? { tag: randomUUID(), from: [known.tag, ...known.from] } : (known ?? none)
  return write({ ...claimed, folder: here }) && isCopy
}

/** Gives a new member of a team entries of its own: other folders on this computer may be members, too. */
export function nameEntriesAnew(folder: string): void {
  const here = realpathSync(folder)
  const { tag } = entriesOf(here) ?? none
  if (tag === '') write({ tag: randomUUID(), from: [], folder: here })
}

/** The entries of a library folder. One that only the folder has which it was copied from is copied when it is read. */
export function entriesIn(store: SecretStore, folder: string): SecretStore {
  const named = (account: string, tag: string): string => (tag === '' ? account : `${account}.${tag}`)
  const own = (account: string): string => named(account, (entriesOf(folder) ?? none).tag)
  return {
    async read(account) {
      const { tag, from } = entriesOf(folder) ?? none
      const found = await store.read(named(account, tag))
      if (!found.ok || found.value !== null) return found
      for (const other of from) {
        const before = await store.read(named(account, other))
        if (!before.ok) return before
        if (before.value === null) continue
        // Tried again by the next read if it fails.
        await store.write(named(account, tag), before.value)
        return before
      }
      return ok(null)
    },
    write: (account, value) => store.write(own(account), value),
    remove: (account) => store.remove(own(account)),
  }
}

/** Null if there is no usable file. */
function entriesOf(folder: string): Entries | null {
  const read = Object(parsedJson(textOf(join(folder, fileName)) ?? '')) as Partial<Record<keyof Entries, unknown>>
  const { tag, from, folder: place } = read
  const isUsable = typeof tag === 'string' && typeof place === 'string' && Array.isArray(from)
  return isUsable ? { tag, folder: place, from: from.filter((each) => typeof each === 'string') } : null
}

/** Whether the folder that the file names is another one with the same library and the same entries. */
function isSameLibrary({ tag, folder }: Entries, here: string): boolean {
  const nameIn = (place: string): string | null => textOf(join(place, 'library.json'))
  // Somebody else may have made this library: no path of theirs may have this computer log in to another one.
  if (folder.startsWith('\\\\')) return false
  try {
    const [there, own] = [folder, here].map((place) => statSync(place, { bigint: true }))
    if (there?.dev === own?.dev && there?.ino === own?.ino) return false
  } catch {
    return false
  }
  const library = nameIn(here)
  return library !== null && library === nameIn(folder) && entriesOf(folder)?.tag === tag
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function write(entries: Entries): boolean {
  const file = join(entries.folder, fileName)
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(entries)}\n`, { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
    return true
  } catch {
    rmSync(`${file}.new`, { force: true })
    return false
  }
}
