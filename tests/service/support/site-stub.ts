import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import AdmZip from 'adm-zip'

/** A site backend, written from the contract alone. */

export const signed = (secret: string, materialId: string, url: string): string =>
  createHmac('sha256', secret).update(`${materialId}:${url}`).digest('hex')

interface ReceivedCallback {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly payload: {
    readonly event: string
    readonly material_id: string
    readonly content_url: string
    readonly metadata: Record<string, unknown>
    readonly fonts?: unknown
    readonly debug?: boolean
  }
}

export interface SiteAnswer {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Record<string, string>
}

type Behaviour = (callback: ReceivedCallback) => SiteAnswer | 'hang' | Promise<SiteAnswer | 'hang'>

export interface SiteStub {
  readonly callbackUrl: string
  readonly callbacks: ReceivedCallback[]
  /** The answers to the next callbacks. A string or a buffer is sent as the body. */
  behaviour: Behaviour
  readonly close: () => Promise<void>
}

export async function startSite(behaviour: Behaviour): Promise<SiteStub> {
  const callbacks: ReceivedCallback[] = []
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', async () => {
      const text = Buffer.concat(chunks).toString()
      const callback = { headers: message.headers, text, payload: JSON.parse(text) }
      callbacks.push(callback)
      const answer = await stub.behaviour(callback)
      if (answer === 'hang') return
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
      response.end(
        typeof answer.body === 'string' || Buffer.isBuffer(answer.body) ? answer.body : JSON.stringify(answer.body),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stub: SiteStub = {
    callbackUrl: `http://127.0.0.1:${port}/callback`,
    callbacks,
    behaviour,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return stub
}

/** Downloads an archive as the contract specifies: the signature over the URL without a query, key and id in the query. */
export function download(contentUrl: string, key: string, secret: string, materialId: string): Promise<Response> {
  const query = new URLSearchParams({ api_key: key, material_id: materialId })
  return fetch(`${contentUrl}?${query}`, { headers: { 'X-Service-Signature': signed(secret, materialId, contentUrl) } })
}

/** Names and bytes of a ZIP. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  return new Map(new AdmZip(bytes).getEntries().map((entry) => [entry.entryName, entry.getData()]))
}

/** The flow of the contract: verify, download, replace the temporary names, answer the updated state. */
export const savingSite =
  (key: string, secret: string, publicBase = 'https://cdn.example/'): Behaviour =>
  async ({ headers, payload }) => {
    const { material_id: materialId, content_url: contentUrl } = payload
    if (headers['x-service-signature'] !== signed(secret, materialId, contentUrl))
      return { status: 400, body: { rc: 0, rm: 'bad signature' } }
    const answer = await download(contentUrl, key, secret, materialId)
    const entries = unzip(Buffer.from(await answer.arrayBuffer()))
    if (payload.event === 'site_fonts_updated') return { body: { rc: 1, rm: 'Fonts saved successfully' } }
    const state = JSON.parse(String(entries.get('vms_json.json'))) as { assets?: Record<string, { clientUrl: string }> }
    for (const name of entries.keys()) {
      const asset = state.assets?.[name.replace('vms_media/', '')]
      if (asset !== undefined) asset.clientUrl = publicBase + encodeURIComponent(name.replace('vms_media/', ''))
    }
    return { body: { rc: 1, rm: 'Saved successfully', data: { vms_json: state } } }
  }
