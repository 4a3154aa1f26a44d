import { writeFile } from 'node:fs/promises'
import { arch, release } from 'node:os'
import { dirname } from 'node:path'
import type { IndexReads, Listening, OpenedLibrary } from '@galley/library'
import { describeLibrary } from '@galley/library'
import type { Runtime } from '@galley/library/records'
import { isSystemError } from '@galley/platform'
import type { LogFile } from '@galley/platform'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { diagnosticsCalls } from '../../../ipc/diagnostics.ts'
import type { Desktop } from '../desktop.ts'
import { faultLog } from '../fault-log.ts'
import { fileFailed } from './file-failed.ts'

export interface DiagnosticsEdges {
  readonly desktop: Desktop
  readonly runtime: Runtime
  readonly log: LogFile
}

export interface DiagnosticsPorts {
  readonly version: string
  readonly library: OpenedLibrary
  readonly listener: Pick<Listening, 'state'>
  readonly index: IndexReads
}

/** Calls for diagnosing faults. */
export function diagnosticsHandlers(
  ports: DiagnosticsPorts,
  { desktop, runtime, log }: DiagnosticsEdges,
): HandlersOf<typeof diagnosticsCalls> {
  const logFault = faultLog('the window', log.write)

  function report(): string {
    const { state, facts } = describeLibrary(ports.library)
    return [
      `Galley ${ports.version}`,
      `Electron ${runtime.electron}, Chromium ${runtime.chromium}, Node ${runtime.node}`,
      `${process.platform} ${release()} ${arch()}`,
      `Library ${state}, schema ${ports.index.schema()}, ${JSON.stringify(ports.index.totals())}, opened with ${JSON.stringify(facts.map(({ kind }) => kind))}`,
      `Listener ${ports.listener.state().kind}`,
      '',
      ...log.recent(),
      '',
    ].join('\n')
  }

  return {
    reportFault(fault) {
      logFault(fault)
      return null
    },
    openLogFolder() {
      const place = log.place()
      if (place === null) return fail({ code: 'library_folder_gone', path: dirname(dirname(log.file)) })
      desktop.showInFolder(place)
      return ok(null)
    },
    readDiagnostics: report,
    async saveDiagnostics() {
      const path = await desktop.chooseNewFile('problemReport', { name: 'galley-report.txt', extensions: ['txt'] })
      if (path === null) return ok(null)
      try {
        await writeFile(path, report(), { mode: 0o600 })
        return ok(path)
      } catch (error) {
        if (isSystemError(error)) return fileFailed(error)
        throw error
      }
    },
    async copyDiagnostics() {
      await desktop.copyText(report())
      return null
    },
  }
}
