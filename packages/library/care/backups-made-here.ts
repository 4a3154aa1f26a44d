import { realpathSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { z } from 'zod'

import type { Index } from '../db/library-index.ts'

/** The name of the setting with the automatic backups of this folder. */
const name = 'backups-made-here'

/** More than are ever kept. */
const namesMax = 100

const storedSchema = z.object({
  path: z.string(),
  host: z.string(),
  inode: z.string(),
  created: z.string(),
  names: z.array(z.string()),
})
type Stored = z.infer<typeof storedSchema>
type FolderIdentity = Omit<Stored, 'names'>

function identityOf(folder: string): FolderIdentity {
  const { ino, birthtimeNs } = statSync(folder, { bigint: true })
  return { path: realpathSync(folder), host: hostname(), inode: String(ino), created: String(birthtimeNs) }
}

/**
 * Whether two records are of one folder, not of a copy. A folder may be moved, a container may get another host name, and some
 * disks number their files anew each time.
 */
const isSameFolder = (one: FolderIdentity, other: FolderIdentity): boolean =>
  one.path === other.path
    ? one.inode === other.inode || one.host === other.host
    : one.inode === other.inode && one.created === other.created

/** The file names of the automatic backups of a library folder. A copy of the folder has made none of them. */
export function backupsMadeHere(settings: Index['settings'], folder: string) {
  const identity = identityOf(folder)
  function list(): readonly string[] {
    const stored = storedSchema.safeParse(JSON.parse(settings.get(name) ?? 'null'))
    return stored.success && isSameFolder(stored.data, identity) ? stored.data.names : []
  }
  return {
    list,
    add: (backup: string): void =>
      settings.put(name, JSON.stringify({ ...identity, names: [...list(), backup].slice(-namesMax) } satisfies Stored)),
  }
}
