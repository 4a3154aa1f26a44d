import { readdir } from 'node:fs/promises'

import type { Handlers } from '../../../../contract/ipc/calls.ts'
import { fail, ok } from '../../../../contract/result.ts'
import { canKeepLibrary } from '../../../library/folder.ts'
import { isThere } from '../../../platform/disk/is-there.ts'
import type { BackupEdges } from './backups.ts'

type FolderCalls = 'libraryFolder' | 'openLibraryFolder' | 'chooseLibraryFolder' | 'relaunch'

/** Calls about the folder of the library, and the one of the next start. */
export function libraryFolderHandlers(
  path: string,
  { desktop, rememberLibrary }: Pick<BackupEdges, 'desktop' | 'rememberLibrary'>,
): Pick<Handlers, FolderCalls> {
  return {
    libraryFolder: () => path,
    async openLibraryFolder() {
      if (!(await isThere(path))) {
        const message = 'The library folder is not where it was. Saves cannot be stored until it is back.'
        return fail({ code: 'library_folder_gone', message, facts: { path } })
      }
      desktop.showInFolder(path)
      return ok(null)
    },
    async chooseLibraryFolder() {
      const folder = await desktop.chooseFolder('libraryFolder')
      if (folder === null) return ok(null)
      if (!(await canKeepLibrary(folder))) {
        const message = 'Nothing can be written in the chosen folder. Nothing was changed. Choose another one.'
        return fail({ code: 'folder_unusable', message })
      }
      const names = await readdir(folder)
      // A library whose index is lost is one all the same: opening it makes the index anew from its log.
      if (names.length > 0 && !names.includes('index.db') && !names.includes('library.json')) {
        const message = 'This folder holds other things. Nothing was changed. Choose an empty folder or a library.'
        return fail({ code: 'folder_not_empty', message })
      }
      return ok({ folder, ...(await rememberLibrary(folder)) })
    },
    relaunch() {
      desktop.relaunch()
      return null
    },
  }
}
