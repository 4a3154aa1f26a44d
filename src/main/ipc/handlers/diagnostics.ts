import { arch, release } from 'node:os'
import { dirname } from 'node:path'
import type { IndexReads, Listening, OpenedLibrary } from '@galley/library'
import { describeLibrary } from '@galley/library'
import type { Runtime } from '@galley/library/records'
import type { LogFile } from '@galley/platform'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { diagnosticsCalls } from '../../../ipc/diagnostics.ts'
import type { Desktop } from '../desktop.ts'
import { faultLog } from '../fault-log.ts'

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
    async copyDiagnostics() {
      const { state, facts } = describeLibrary(ports.library)
      const listener = ports.listener.state()
      const totals = ports.index.totals()
      await desktop.copyText(
        [
          `Galley ${ports.version}`,
          `Electron ${runtime.electron}, Chromium ${runtime.chromium}, Node ${runtime.node}`,
          `${process.platform} ${release()} ${arch()}`,
          `Library ${state}, schema ${ports.index.schema()}, ${JSON.stringify(totals)}, opened with ${JSON.stringify(facts.map(({ kind }) => kind))}`,
          `Listener ${listener.kind}`,
          '',
          ...log.recent(),
          '',
        ].join('\n'),
      )
      return null
    },
  }
}
