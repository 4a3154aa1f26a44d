import type { JSONContent } from '@tiptap/core'

import type { Asset } from '../page/assets.ts'

/** Unsaved changes: the editor's document and the added files. */
export interface Draft {
  readonly doc: JSONContent
  readonly files: readonly { readonly name: string; readonly file: File }[]
  /** The files of that version, some of which a later one may lack. Earlier drafts have none. */
  readonly assets?: readonly (readonly [name: string, asset: Asset])[]
  /** The version the changes are based on. */
  readonly over: string | null
}

/** Stores the draft of one session and tab. It survives a reload; other tabs do not see it. */
export interface Drafts {
  readonly read: () => Promise<Draft | null>
  /** Stores a draft, or deletes it with null. The latest call wins. */
  readonly keep: (draft: Draft | null) => void
}

const table = 'drafts'
const keptMs = 14 * 24 * 3_600_000

interface Kept extends Draft {
  readonly keptAtMs: number
}

/** How long a page that is reloaded may hold the name of its tab. */
const releaseMs = 1000

/** Holds the name of a tab while this page is open; false if another tab does. */
const isHeld = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    // Browsers have no locks for pages of other computers without https.
    if (!('locks' in navigator)) return resolve(true)
    navigator.locks
      .request(`tab ${name}`, { signal: AbortSignal.timeout(releaseMs) }, () => {
        resolve(true)
        return new Promise(() => undefined)
      })
      .catch(() => resolve(false))
  })

/** Identifies this tab while it is open. A tab that the browser duplicates gets the name of the first one, and needs its own. */
async function tabName(): Promise<string> {
  const known = sessionStorage.getItem('tab')
  if (known !== null && (await isHeld(known))) return known
  const name = crypto.getRandomValues(new Uint32Array(4)).join('-')
  sessionStorage.setItem('tab', name)
  await isHeld(name)
  return name
}

const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser keeps no drafts'))
  })

async function openTable(): Promise<IDBDatabase> {
  const opening = indexedDB.open('editor', 1)
  opening.onupgradeneeded = () => void opening.result.createObjectStore(table)
  return settled(opening)
}

/** Deletes old drafts of closed tabs. */
async function dropOld(store: IDBObjectStore): Promise<void> {
  for (const key of await settled(store.getAllKeys())) {
    const kept = (await settled(store.get(key))) as Kept
    if (Date.now() - kept.keptAtMs > keptMs) store.delete(key)
  }
}

/** If the browser stores nothing, as in some private windows, there are no drafts and `read` returns null. */
export function createDrafts(fingerprint: string): Drafts {
  const key = tabName().then((name) => `${name} ${fingerprint}`)
  const database = openTable().catch(() => null)
  // One write at a time. Of several waiting ones, only the last is done.
  let next: { readonly draft: Draft | null } | null = null
  let isWriting = false

  async function write(): Promise<void> {
    const [db, own] = await Promise.all([database, key])
    if (db === null) return
    while (next !== null) {
      const { draft } = next
      next = null
      const store = db.transaction(table, 'readwrite').objectStore(table)
      const kept: Promise<unknown> =
        draft === null
          ? settled(store.delete(own))
          : settled(store.put({ ...draft, keptAtMs: Date.now() } satisfies Kept, own))
      // If the disk is full, the page still has the changes, and leaving it asks first.
      await kept.catch(() => undefined)
    }
    isWriting = false
  }

  return {
    async read() {
      const [db, own] = await Promise.all([database, key])
      if (db === null) return null
      const store = db.transaction(table, 'readwrite').objectStore(table)
      const kept = (await settled(store.get(own))) as Kept | undefined
      await dropOld(store)
      return kept ?? null
    },
    keep(draft) {
      next = { draft }
      if (isWriting) return
      isWriting = true
      void write()
    },
  }
}
