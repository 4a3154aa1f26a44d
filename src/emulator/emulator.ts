import { Agent } from 'undici'

import { defaultSignatureHeader } from '../contract/signed-text.ts'
import { createAddresses } from './addresses.ts'
import type { CallbackPorts } from './callbacks/callback-ports.ts'
import type { DeliveryPorts } from './callbacks/deliver.ts'
import { deliver } from './callbacks/deliver.ts'
import type { Route } from './http/router.ts'
import { listen } from './http/server.ts'
import { createEditorFiles } from './pages/editor-files.ts'
import { downloadRoutes } from './routes/downloads.ts'
import { fontsRoute } from './routes/fonts.ts'
import { pageRoutes } from './routes/pages.ts'
import { saveRoute } from './routes/save.ts'
import { sessionOpenRoute } from './routes/session-open.ts'
import { sessionStateRoutes } from './routes/session-state.ts'
import type { ServiceSite, ServiceSites } from './service-site.ts'
import { openStore } from './store/open-store.ts'

/** How an emulator is set up. */
export interface EmulatorOptions {
  /** 0 takes any free port. */
  readonly port: number
  readonly host?: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly signatureHeader?: string
  /** `example.com` or `*.example.com`; none: loopback hosts only. */
  readonly allowedDomains?: readonly string[]
  /** SQLite file; without it nothing outlives the process. */
  readonly dataFile?: string
  /** Folder of the built pages (`out/renderer`); without it a session's `url` says that the page is not built. */
  readonly editorDir?: string
  readonly now?: () => Date
  /** How long a site may take to answer a callback. */
  readonly callbackTimeoutMs?: number
  /** Is told of bugs and of a failing disk; the request is answered 500 without details. */
  readonly onProblem?: (problem: unknown) => void
}

/** A running emulator. */
export interface Emulator {
  /** What a site is configured with; ends with `/integration`. */
  readonly baseUrl: string
  /** The start page. */
  readonly url: string
  readonly apiKey: string
  /** Breaks off callbacks in flight, lets requests end, closes the data file. */
  readonly close: () => Promise<void>
}

function sitesOf(options: EmulatorOptions): ServiceSites {
  const site: ServiceSite = {
    apiKey: options.apiKey,
    apiSecret: options.apiSecret,
    signatureHeader: options.signatureHeader ?? defaultSignatureHeader,
    allowedDomains: options.allowedDomains ?? [],
  }
  return new Map([[site.apiKey, site]])
}

/**
 * Starts the service side of the contract. Rejects with the system's error when the port is taken or the data file
 * cannot be used. The secret is kept in memory and goes nowhere.
 */
export async function createEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { host = '127.0.0.1', now = () => new Date(), onProblem = (problem) => console.error(problem) } = options
  const sites = sitesOf(options)
  const editorFiles = createEditorFiles(options.editorDir ?? null)
  const nowMs = (): number => now().getTime()
  const closing = new AbortController()
  const delivery: DeliveryPorts = {
    dispatcher: new Agent({ connect: { timeout: 10_000 } }),
    timeoutMs: options.callbackTimeoutMs ?? 120_000,
    closing: closing.signal,
  }
  const store = openStore(options.dataFile ?? null)

  const routesAt = (port: number): readonly Route[] => {
    const addresses = createAddresses(host, port)
    const callbacks: CallbackPorts = { sites, store, addresses, nowMs, deliver: (sent) => deliver(sent, delivery) }
    return [
      sessionOpenRoute({ sites, sessions: store.sessions, addresses, nowMs }),
      ...downloadRoutes({ sites, store, addresses }),
      saveRoute(callbacks),
      fontsRoute(callbacks),
      ...sessionStateRoutes({ store, addresses, nowMs }),
      ...pageRoutes({ sessions: store.sessions, addresses, editorFiles }),
    ]
  }

  const server = await listen(routesAt, { host, port: options.port, onProblem }).catch((problem: unknown) => {
    store.close()
    throw problem
  })
  const { base, root } = createAddresses(host, server.port)
  return {
    baseUrl: base,
    url: root,
    apiKey: options.apiKey,
    async close() {
      closing.abort()
      await server.close()
      await delivery.dispatcher.destroy()
      store.close()
    },
  }
}
