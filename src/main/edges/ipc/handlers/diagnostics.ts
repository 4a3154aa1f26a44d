import { arch, release } from 'node:os'
import { dirname } from 'node:path'

import type { Runtime } from '../../../../contract/domain/runtime.ts'
import type { Handlers } from '../../../../contract/ipc/calls.ts'
import type { DiagnosticsCalls } from '../../../../contract/ipc/diagnostics.ts'
import { fail, ok } from '../../../../contract/result.ts'
import type { Index } from '../../../library/db/library-index.ts'
import type { OpenedLibrary } from '../../../library/db/open-library.ts'
import { faultLog } from '../../../platform/logging/fault-log.ts'
import type { LogFile } from '../../../platform/logging/log-file.ts'
import { describeLibrary } from '../../../use-cases/care/opening.ts'
import type { Listening } from '../../http/listening.ts'
import type { Desktop } from '../desktop.ts'

export interface DiagnosticsEdges {
  readonly desktop: Desktop
  readonly runtime: Runtime
  readonly log: LogFile
}

export interface DiagnosticsPorts {
  readonly version: string
  readonly library: OpenedLibrary
  readonly listener: Pick<Listening, 'state'>
  readonly index: Index
}

/** Calls for diagnosing faults. */
export function diagnosticsHandlers(
  ports: DiagnosticsPorts,
  { desktop, runtime, log }: DiagnosticsEdges,
): Pick<Handlers, keyof DiagnosticsCalls> {
  const logFault = faultLog('the window', log.write)

  return {
    reportFault(fault) {
      logFault(fault)
      return null
    },
    openLogFolder() {
      const place = log.place()
      if (place === null) return fail({ code: 'library_folder_gone', facts: { path: dirname(dirname(log.file)) } })
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
