import { exportsMadeHere } from '@galley/library'
import { isThere } from '@galley/platform'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { exportCalls } from '../../../ipc/exports.ts'
import type { Desktop } from '../desktop.ts'
import type { ExportPorts, ExportTaskEdges } from './export-tasks.ts'
import { exportTaskHandlers } from './export-tasks.ts'
import { pathNotChosen } from './not-chosen.ts'
import { unknownExport } from './unknown.ts'

/** The dependencies of the calls besides the library. */
interface Edges extends ExportTaskEdges {
  readonly desktop: Desktop
}

/** Calls about static exports: targets, new exports and past ones. */
export function exportHandlers(ports: ExportPorts, edges: Edges): HandlersOf<typeof exportCalls> {
  const { exports, settings } = ports.index
  const { desktop, chosen } = edges
  return {
    async chooseExportTarget({ site, kind }) {
      const path =
        kind === 'folder'
          ? await desktop.chooseFolder('exportFolder')
          : await desktop.chooseNewFile('exportZip', { name: `${site}.zip`, extensions: ['zip'] })
      return path === null ? null : chosen.keep({ what: `export-${kind}`, site }, path)
    },
    ...exportTaskHandlers(ports, edges),
    listExports: ({ site, offset, limit }) => exports.query(site, offset, limit),
    readExport({ exportId }) {
      const contents = exports.contents(exportId)
      return contents === null ? unknownExport(exportId) : ok(contents)
    },
    async openExportFolder({ exportId }) {
      const row = exports.find(exportId)
      if (!row) return unknownExport(exportId)
      if (!exportsMadeHere(settings).has(exportId)) return pathNotChosen
      const { path } = row.target
      // The file manager shows no error for a missing path.
      if (!(await isThere(path))) {
        return fail({
          code: 'target_gone',
          path,
        })
      }
      desktop.showInFolder(path)
      return ok(null)
    },
  }
}
