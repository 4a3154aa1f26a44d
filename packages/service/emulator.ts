import type { Dispatcher } from 'undici'
import { Agent } from 'undici'

import type { DeliveryPorts } from './callbacks/deliver.ts'
import { deliver } from './callbacks/deliver.ts'
import type { EndedCallback } from './callbacks/sent-callbacks.ts'
import { createSentCallbacks } from './callbacks/sent-callbacks.ts'
import { createFaultyDelivery } from './faults/faulty-delivery.ts'
import { faultyDownloads, faultyOpen } from './faults/faulty-routes.ts'
import type { PendingFaults } from './faults/pending-faults.ts'
import { createPendingFaults } from './faults/pending-faults.ts'
import { createAddresses } from './http/addresses.ts'
import type { Route } from './http/router.ts'
import { listen } from './http/server.ts'
import { createEditorFiles } from './pages/editor-files.ts'
import type { EditorFiles } from './pages/editor-files.ts'
import { createRestoring } from './restoring/restore.ts'
import type { CallbackPorts } from './routes/callback-ports.ts'
import { callbackRoutes } from './routes/callbacks.ts'
import { clockRoutes } from './routes/clock.ts'
import { downloadRoutes } from './routes/downloads.ts'
import { faultRoutes } from './routes/faults.ts'
import { fontSheetRoutes } from './routes/font-sheets.ts'
import { fontsRoute } from './routes/fonts.ts'
import { noSession } from './routes/refusals.ts'
import { saveRoute } from './routes/save.ts'
import { sessionOpenRoute } from './routes/session-open.ts'
import { sessionStateRoutes } from './routes/session-state.ts'
import { startPageRoutes } from './routes/start-page.ts'
import { versionRoutes } from './routes/versions.ts'
import { expiredBeforeMs } from './sessions/history.ts'
import type { SiteSetup } from './sites/service-site.ts'
import { sitesByKey } from './sites/service-site.ts'
import { openStore } from './store/open-store.ts'
import type { Sessions } from './store/sessions.ts'
import { createClock } from './time/clock.ts'

interface EditorPagePorts {
  readonly sessions: Sessions
  readonly editorFiles: EditorFiles
}

/** The editor page at a session's `url`, and its assets. */
const editorPageRoutes = ({ sessions, editorFiles }: EditorPagePorts): readonly Route[] => [
  {
    method: 'GET',
    path: '/editor/:fingerprint',
    handle: (_incoming, fingerprint = '') =>
      sessions.byFingerprint(fingerprint) === null ? noSession : editorFiles.page(),
  },
  { method: 'GET', path: '/assets/:name', handle: (_incoming, name = '') => editorFiles.asset(name) },
]

/** Options of an emulator, including its first site. */
export interface EmulatorOptions extends SiteSetup {
  /** 0 picks any free port. */
  readonly port: number
  readonly host?: string
  /** More host names by which sites and browsers may call it. Those of container hosts are always allowed. */
  readonly allowedHosts?: readonly string[]
  /** Sends the requests to sites; by default directly. It is not closed. */
  readonly dispatcher?: Dispatcher
  /** Additional sites, each with its own key. */
  readonly moreSites?: readonly SiteSetup[]
  /** SQLite file; without it, data is lost when the process ends. */
  readonly dataFile?: string
  /** Folder of the built page (`out/editor`). Without it, a session's `url` answers that the page is not built. */
  readonly editorDir?: string
  readonly now?: () => Date
  /** How long a site may take to answer a callback. */
  readonly callbackTimeoutMs?: number
  /** Called for each completed callback, including repeated ones. */
  readonly onCallback?: (callback: EndedCallback) => void
  /** Called for bugs and disk errors; the request is answered with a 500 without details. */
  readonly onProblem?: (problem: unknown) => void
}

/** A running emulator. */
export interface Emulator {
  /** The base URL that sites are configured with; ends with `/integration`. */
  readonly baseUrl: string
  /** URL of the start page. */
  readonly url: string
  readonly apiKey: string
  /** What goes wrong on request, as on the start page. */
  readonly faults: Pick<PendingFaults, 'list' | 'add' | 'clear'>
  /** Aborts callbacks in flight, lets requests finish, and closes the data file. */
  readonly close: () => Promise<void>
}

/**
 * Starts the service side of the contract. Rejects with the system's error when the port is taken or the data file
 * cannot be used. The secret stays in memory.
 */
export async function createEmulator(options: EmulatorOptions): Promise<Emulator> {
  // The emulator is a developer's tool: its terminal is its log.
  // oxlint-disable-next-line no-console
  const { host = '127.0.0.1', now = () => new Date(), onProblem = (problem) => console.error(problem) } = options
  const sites = sitesByKey([options, ...(options.moreSites ?? [])])
  const editorFiles = createEditorFiles(options.editorDir ?? null)
  const clock = createClock(now)
  const { nowMs } = clock
  const stopping = new AbortController()
  const closing = stopping.signal
  const own = new Agent({ connect: { timeout: 10_000 } })
  const { dispatcher = own, allowedHosts = [] } = options
  const sending: DeliveryPorts = { dispatcher, timeoutMs: options.callbackTimeoutMs ?? 120_000, closing }
  const faults = createPendingFaults()
  const delivery = createFaultyDelivery({ faults, closing, deliver: (callback) => deliver(callback, sending) })
  const sent = createSentCallbacks(nowMs, options.onCallback)
  const store = openStore(options.dataFile ?? null)
  const restoring = createRestoring({ store, dispatcher, closing, onProblem })

  /** Deletes expired data before each request, so that no route can show or use it. */
  const withExpiry = (route: Route): Route => ({
    ...route,
    handle(incoming, ...segments) {
      store.sessions.dropUnusedSince(expiredBeforeMs(nowMs()))
      return route.handle(incoming, ...segments)
    },
  })

  const routesAt = (port: number): readonly Route[] => {
    const addresses = createAddresses(host, port)
    const callbacks: CallbackPorts = { sites, store, addresses, nowMs, delivery, sent }
    const open = sessionOpenRoute({ sites, sessions: store.sessions, addresses, nowMs, restoring })
    return [
      faultyOpen(open, { faults, closing }),
      ...faultyDownloads(downloadRoutes({ sites, store, addresses }), { faults, closing }),
      saveRoute(callbacks),
      fontsRoute(callbacks),
      ...sessionStateRoutes({ sites, store, addresses, nowMs, restored: (sessionId) => restoring.ended(sessionId) }),
      ...versionRoutes(store),
      ...callbackRoutes(sent),
      ...fontSheetRoutes(store),
      ...clockRoutes(clock),
      ...faultRoutes(faults),
      ...startPageRoutes({ sites, store, addresses, clock, faults, sent }),
      ...editorPageRoutes({ sessions: store.sessions, editorFiles }),
    ].map(withExpiry)
  }

  const server = await listen(routesAt, { host, allowedHosts, port: options.port, onProblem }).catch(
    (problem: unknown) => {
      store.close()
      throw problem
    },
  )
  const { base, root } = createAddresses(host, server.port)
  return {
    baseUrl: base,
    url: root,
    apiKey: options.apiKey,
    faults,
    async close() {
      stopping.abort()
      await server.close()
      await own.destroy()
      await restoring.allEnded()
      store.close()
    },
  }
}
