import type { EmulatorOptions } from '../../../packages/service/emulator.ts'
import { createEmulator } from '../../../packages/service/emulator.ts'
import { signed } from './site-stub.ts'

export const key = 'test-key'
export const secret = 'test-secret'

/** A running emulator with the calls that tests make of it. */
export async function startService(options: Partial<EmulatorOptions> = {}) {
  const emulator = await createEmulator({ port: 0, apiKey: key, apiSecret: secret, ...options })

  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(new URL(path, emulator.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  /** session/open, correctly signed. `body` may also be a JSON text, whose three names must then be given. */
  const open = (
    request: { material_id: string; callback_url: string } & Record<string, unknown>,
    text?: string,
  ): Promise<Response> =>
    post('/integration/session/open', text ?? { api_key: key, ...request }, {
      'X-Service-Signature': signed(secret, request.material_id, request.callback_url),
    })

  const opened = async (request: Parameters<typeof open>[0], text?: string): Promise<Record<string, string>> => {
    const response = await open(request, text)
    if (response.status !== 200) throw new Error(`open answered ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, string>
  }

  const save = async (fingerprint: string, draft: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const response = await post(`/_emulator/sessions/${fingerprint}/save`, draft)
    if (response.status !== 200) throw new Error(`save answered ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }

  /** The JSON of a local URL, untyped, because tests check what was received. */
  const get = async <Body = Record<string, unknown>>(path: string): Promise<Body> => {
    const response = await fetch(emulator.url + path)
    if (response.status !== 200) throw new Error(`${path} answered ${response.status} ${await response.text()}`)
    return (await response.json()) as Body
  }

  const session = (fingerprint: string) => get(`/_emulator/sessions/${fingerprint}`)
  const versions = (fingerprint: string) =>
    get<Record<string, unknown>[]>(`/_emulator/sessions/${fingerprint}/versions`)
  const fault = (fault: Record<string, unknown>) => post('/_emulator/faults', fault)
  const moveClock = (now: string) => post('/_emulator/clock', { now })

  return { emulator, post, get, open, opened, save, session, versions, fault, moveClock }
}

export type Service = Awaited<ReturnType<typeof startService>>

/** Status and JSON body of a refusal. */
export const refusalOf = async (response: Response): Promise<[number, string, string]> => {
  const { error, message } = (await response.json()) as { error: string; message: string }
  return [response.status, error, message]
}
