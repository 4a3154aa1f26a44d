import { readdir } from 'node:fs/promises'
import { canKeepLibrary } from '@galley/library'
import { isThere } from '@galley/platform'
import { fail, ok } from '@galley/wire'

import type { CallProblem, Handlers } from '../../../ipc/calls.ts'
import type { BackupEdges } from './backups.ts'

type FolderCalls = 'libraryFolder' | 'openLibraryFolder' | 'chooseLibraryFolder' | 'relaunch'

/** Calls about the folder of the library, and the one for the next start. */
export function libraryFolderHandlers(
  path: string,
  { desktop, rememberLibrary }: Pick<BackupEdges, 'desktop' | 'rememberLibrary'>,
): Pick<Handlers, FolderCalls> {
  return {
    libraryFolder: () => path,
    async openLibraryFolder() {
      if (!(await isThere(path))) {
        return fail({ code: 'library_folder_gone', path })
      }
      desktop.showInFolder(path)
      return ok(null)
    },
    async chooseLibraryFolder() {
      const folder = await desktop.chooseFolder('libraryFolder')
      if (folder === null) return ok(null)
      const problem = await problemOfFolder(folder)
      return problem === null ? ok({ folder, ...(await rememberLibrary(folder)) }) : fail(problem)
    },
    relaunch() {
      desktop.relaunch()
      return null
    },
  }
}

/** Why a folder cannot hold a library; null: it can, or does. */
export async function problemOfFolder(folder: string): Promise<CallProblem | null> {
  if (!(await canKeepLibrary(folder))) return { code: 'folder_unusable' }
  const names = await readdir(folder)
  // A library without an index is still one: opening it rebuilds the index from its log. So is one that has begun to join,
  // or only has its lock.
  const isLibrary = ['index.db', 'library.json', 'team.json', 'owner.db'].some((name) => names.includes(name))
  return names.length > 0 && !isLibrary ? { code: 'folder_not_empty' } : null
}
