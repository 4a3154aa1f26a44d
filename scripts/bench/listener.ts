/** Runs the product's listener on a temporary library, and acts as the service that calls it. */

import type { ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { cliFile } from '../runtime/built.ts'
import { capture, startService, stopService } from '../runtime/processes.ts'
import type { Save } from './save.ts'

export interface Step {
  readonly name: string
  readonly ms: number
}

/** The times of one save, from the first byte of the callback to the last byte of its answer. */
export interface Answered {
  readonly ms: number
  readonly rc: unknown
  readonly rm: unknown
  /** As the listener recorded them. */
  readonly steps: readonly Step[]
}

/** The stored state of one version, reduced to what the bench reads. */
export interface StoredVersion {
  readonly version_id: string
  readonly public_urls: Readonly<Record<string, string>>
}

export interface Listener {
  readonly url: string
  readonly processId: number
  /** Sends the signed callback of one save and waits for the answer. */
  save(save: Save): Promise<Answered>
  /** The longest stall of the event loop since the last call, in milliseconds. */
  longestStallMs(): Promise<number>
  /** Runs the command line, which reads the library while the listener runs. */
  versions(materialId: string): Promise<readonly StoredVersion[]>
  stop(): Promise<void>
}

/** The secret of the only site of every bench. */
export const callbackSecret = 'bench-secret'
const probe = join(import.meta.dirname, 'stall-probe.cjs')
const ownEnvironment = { ...process.env, GALLEY_SECRET_BENCH: callbackSecret }

/** A bucket that the library is imported into. */
export interface Team {
  readonly place: string
  readonly endpoint: string
  readonly keys: { readonly id: string; readonly secret: string }
}

export const teamEnvironment = ({ keys }: Team) => ({
  GALLEY_TEAM_ACCESS_KEY_ID: keys.id,
  GALLEY_TEAM_SECRET_ACCESS_KEY: keys.secret,
})

/**
 * Starts `galley listen` for a new library below `folder`, with one site of this service. `below`: a command that runs it,
 * such as a tracer; its process is then the one that is measured.
 */
export async function startListener(
  folder: string,
  serviceUrl: string,
  nodeFlags: readonly string[],
  below: readonly string[] = [],
  team: Team | null = null,
): Promise<Listener> {
  const library = join(folder, 'library')
  mkdirSync(library)
  const environment = { ...ownEnvironment, ...(team && teamEnvironment(team)) }
  const globals = ['--json', '--library', library, '--secrets', 'env']
  const galley = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await capture(process.execPath, [cliFile, ...args, ...globals], {
      env: environment,
    })
    if (code !== 0) throw new Error(`galley ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const site = ['--base-url', `${serviceUrl}/integration`, '--api-key', 'bench-key', '--environment', 'dev']
  const rules = ['--unknown-materials', 'accept', '--max-content-mb', '500']
  await galley('site', 'add', 'bench', ...site, '--callback-url', 'http://127.0.0.1:8787/callback/bench', ...rules)
  if (team) await galley('team', 'import', team.place, '--endpoint', team.endpoint, '--region', 'us-east-1')

  const flags = [...nodeFlags, '--require', probe]
  const [first, ...rest] = [...below, process.execPath, ...flags, cliFile, 'listen', '--port', '0']
  const child = startService(first, [...rest, ...globals], ['ignore', 'pipe', 'inherit', 'ipc'], environment)
  const { url: announced, reported } = reportsOf(child)
  const url = await announced
  return {
    url,
    processId: child.pid ?? 0,
    async save(save) {
      const contentUrl = contentUrlOf(serviceUrl, save)
      const start = performance.now()
      const answer = await callBack(url, serviceUrl, save)
      const ms = performance.now() - start
      // The listener reports a save after its answer.
      return { ms, ...answer, steps: await reported(contentUrl) }
    },
    async longestStallMs() {
      child.send('stall')
      const [{ maxMs }] = (await once(child, 'message')) as [{ maxMs: number }]
      return maxMs
    },
    versions: async (materialId) => (await galley('versions', 'bench', materialId)) as StoredVersion[],
    async stop() {
      // A tracer would leave it running; it exits when the channel to it closes.
      if (below.length > 0 && child.connected) child.disconnect()
      await stopService(child)
    },
  }
}

/** Reads the output of a listener: its address, and the steps of each callback. */
function reportsOf(child: ChildProcess) {
  const stepsOf = new Map<string, PromiseWithResolvers<readonly Step[]>>()
  const entryOf = (contentUrl: string): PromiseWithResolvers<readonly Step[]> => {
    const entry = stepsOf.get(contentUrl) ?? Promise.withResolvers<readonly Step[]>()
    stepsOf.set(contentUrl, entry)
    return entry
  }
  const announced = new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The listener ended with ${code}`)))
    if (child.stdout === null) return
    createInterface(child.stdout).on('line', (text) => {
      const line = JSON.parse(text) as { event: string; url: string; content_url: string; steps: Step[] }
      if (line.event === 'listening') resolve(line.url)
      else entryOf(line.content_url).resolve(line.steps)
    })
  })
  return { url: announced, reported: (contentUrl: string) => entryOf(contentUrl).promise }
}

const contentUrlOf = (serviceUrl: string, { versionId }: Save): string =>
  `${serviceUrl}/integration/download/media/bench/${versionId}`

/** Sends the callback of one save as the contract specifies, to the listener at `url`, on its own connection. */
export function callBack(url: string, serviceUrl: string, save: Save): Promise<{ rc: unknown; rm: unknown }> {
  const { materialId } = save
  const contentUrl = contentUrlOf(serviceUrl, save)
  const payload = {
    event: 'article_saved',
    material_id: materialId,
    content_url: contentUrl,
    metadata: {},
    debug: false,
  }
  const signature = createHmac('sha256', callbackSecret).update(`${materialId}:${contentUrl}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-service-signature': signature }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/callback/bench`, { method: 'POST', headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as { rc: unknown; rm: unknown }),
      )
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(payload))
  })
}
