import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { temporaryFolder } from '@galley/platform'

import type { FileLock } from '../db/file-lock.ts'
import type { FolderEntry } from './folder-entries.ts'
import { entriesIn } from './folder-entries.ts'

/** The location for a job's files in the shared folder: their names start with the prefix. */
export interface SharedStaging {
  readonly folder: string
  readonly prefix: string
}

const stagingFolder = 'staging'

/** The name of the job that an entry of the staging folder belongs to: a folder's own, or what the name of a file starts with. */
const stagingName = (entry: string): string => entry.split('.', 1)[0] ?? entry

/** The form of such names. Jobs create no others. */
const ofJob = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const fetchPrefix = 'arriving-'

/** A path for a file that comes from the bucket of a team, on the volume of the files, so that a rename from it is atomic. */
export const newFetchPath = (library: string): string => join(library, stagingFolder, `${fetchPrefix}${randomUUID()}`)

/**
 * Whether an entry of the staging folder is such a file. It belongs to no job, so only its age shows that it is
 * abandoned.
 */
export const isFetchPath = (entry: string): boolean => entry.startsWith(fetchPrefix)

/** Whether an entry of the staging folder is named like those of saves and downloads. */
export const isJobPath = (entry: string): boolean => isFetchPath(entry) || ofJob.test(stagingName(entry))

/** The folder of files in progress. Created if it is missing. */
export async function openStaging(library: string, lock: FileLock) {
  const stagingRoot = join(library, stagingFolder)
  await mkdir(stagingRoot, { recursive: true, mode: 0o700 })
  const ownStaging = new Set<string>()
  const foreign = (entry: string): boolean => !ownStaging.has(stagingName(entry))

  return {
    /** Creates an empty folder for one job, on the volume of the files, so that a rename from it is atomic. */
    async stage(): Promise<string> {
      const name = randomUUID()
      ownStaging.add(name)
      const directory = join(stagingRoot, name)
      mkdirSync(directory, { mode: 0o700 })
      return directory
    },

    async discard(directory: string): Promise<void> {
      await rm(directory, { recursive: true, force: true })
      ownStaging.delete(basename(directory))
    },

    /**
     * The same for a few files, without a separate folder: creating and deleting one takes longer than writing them.
     * `isElsewhere`: uses a temporary folder, because the library may be read-only.
     */
    async stageFiles(isElsewhere = false): Promise<SharedStaging> {
      const name = randomUUID()
      ownStaging.add(name)
      const folder = isElsewhere ? await temporaryFolder('galley-copy-') : stagingRoot
      return { folder, prefix: `${name}.` }
    },

    async discardFiles({ folder: shared, prefix }: SharedStaging): Promise<void> {
      if (shared === stagingRoot) {
        const left = (await readdir(shared)).filter((name) => name.startsWith(prefix))
        for (const name of left) await rm(join(shared, name), { force: true })
      } else await rm(shared, { recursive: true, force: true })
      ownStaging.delete(stagingName(prefix))
    },

    /** The end of a job whose files were all moved: reading the folder would take longer than moving them. */
    closeFiles: ({ prefix }: SharedStaging): void => void ownStaging.delete(stagingName(prefix)),

    /**
     * Deletes what interrupted jobs left in staging, and nothing that others put there. Deletes nothing while jobs of other
     * processes run, since they share the folder. Only the owner of the library may call it.
     */
    async sweepStaging(): Promise<void> {
      const left = (await readdir(stagingRoot)).filter((entry) => foreign(entry) && ofJob.test(stagingName(entry)))
      if (lock.alone(() => undefined))
        for (const name of left) await rm(join(stagingRoot, name), { recursive: true, force: true })
    },

    /** Files in staging that belong to no job of this process. */
    foreignStaging: async (): Promise<readonly FolderEntry[]> =>
      (await entriesIn(stagingRoot)).filter(({ name }) => foreign(name)),

    removeStaging: (name: string): Promise<void> => rm(join(stagingRoot, name), { recursive: true, force: true }),
  }
}
