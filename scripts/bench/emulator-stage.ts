/** The set-up of the emulator bench: a service on one core, its editors and the site on another. */

import type { ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { cliFile } from '../runtime/built.ts'
import { stopService } from '../runtime/processes.ts'
import type { Round } from './editors-and-site.ts'
import { startPinned } from './pinned.ts'

const serviceCore = 0
const otherCore = 1
const apiKey = 'emulator-dev'
/** The default secret of the emulator. */
const secret = 'emulator-secret'
const materials = ['one', 'two', 'three', 'four']
const script = (name: string): string => join(import.meta.dirname, name)

/** Editors that save at one service, and the site that receives its callbacks. */
export interface Others {
  readonly callbackUrl: string
  /** Sends this many saves to these addresses in turn. Returns the milliseconds that they took. */
  readonly save: (round: Round) => Promise<number>
}

/** A service in its own process. */
export interface Service {
  readonly processId: number
  /** The address for saves of each material. */
  readonly addresses: readonly string[]
}

export async function withOthers<Value>(use: (others: Others) => Promise<Value>): Promise<Value> {
  const child = startPinned(
    otherCore,
    [script('editors-and-site.ts'), apiKey, secret],
    ['ignore', 'inherit', 'inherit', 'ipc'],
  )
  const said = async (): Promise<unknown> => {
    const over = new AbortController()
    const ended = once(child, 'exit', over).then(() => Promise.reject(new Error('The editors and the site are gone')))
    const [message] = (await Promise.race([once(child, 'message', over), ended]).finally(() => over.abort())) as [
      unknown,
    ]
    return message
  }
  try {
    const { callbackUrl } = (await said()) as { callbackUrl: string }
    const save = async (round: Round): Promise<number> => {
      child.send(round)
      return ((await said()) as { ms: number }).ms
    }
    return await use({ callbackUrl, save })
  } finally {
    await stopService(child)
  }
}

/** The built emulator, with one session for each material. */
export function withEmulator<Value>(
  { callbackUrl }: Others,
  nodeFlags: readonly string[],
  use: (service: Service) => Promise<Value>,
): Promise<Value> {
  return withService([...nodeFlags, cliFile, 'emulator', '--json'], async (line, processId) => {
    const { base_url: baseUrl, url } = JSON.parse(line) as { base_url: string; url: string }
    const open = async (materialId: string): Promise<string> => {
      const answer = await fetch(`${baseUrl}/session/open`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-service-signature': createHmac('sha256', secret).update(`${materialId}:${callbackUrl}`).digest('hex'),
        },
        body: JSON.stringify({ api_key: apiKey, material_id: materialId, callback_url: callbackUrl }),
      })
      const { fingerprint } = (await answer.json()) as { fingerprint: string }
      return `${url}/_emulator/sessions/${fingerprint}/save`
    }
    return use({ processId, addresses: await Promise.all(materials.map(open)) })
  })
}

export function withBareService<Value>(
  { callbackUrl }: Others,
  use: (service: Service) => Promise<Value>,
): Promise<Value> {
  return withService([script('bare-service.ts'), callbackUrl, secret], (url, processId) =>
    use({ processId, addresses: materials.map((material) => `${url}/save/${material}`) }),
  )
}

/** Runs a service that prints one line when it is reachable. */
async function withService<Value>(
  command: readonly string[],
  use: (line: string, processId: number) => Promise<Value>,
): Promise<Value> {
  const child: ChildProcess = startPinned(serviceCore, command, ['pipe', 'pipe', 'inherit'])
  try {
    if (child.stdout === null) throw new Error('The service has no output')
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    return await use(line, child.pid ?? 0)
  } finally {
    await stopService(child)
  }
}
