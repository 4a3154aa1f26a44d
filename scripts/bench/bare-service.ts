/**
 * The comparison for the emulator, in its own process: the minimum that accepts a save, builds its ZIP, calls the site and
 * serves the download. It checks and stores nothing; an archive is dropped after its site has answered. Ends with its
 * standard input.
 */

import { createHmac, randomUUID } from 'node:crypto'
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import AdmZip from 'adm-zip'

interface Draft {
  readonly html: string
  readonly state: unknown
  readonly files: Readonly<Record<string, string>>
}

const [callbackUrl = '', secret = ''] = process.argv.slice(2)
const archives = new Map<string, Buffer>()
const agent = new Agent({ keepAlive: true })

const server = createServer((message, response) => void serve(message, response))

async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = message.url ?? '/'
  const downloaded = /^\/integration\/download\/media\/bare\/([a-z0-9-]+)\?/.exec(url)?.[1]
  if (downloaded !== undefined) {
    const archive = archives.get(downloaded)
    response.writeHead(archive ? 200 : 404, { 'content-length': archive?.length ?? 0 }).end(archive)
    return
  }
  const report = JSON.stringify(await save(url.split('/')[3] ?? '', JSON.parse(await textOf(message)) as Draft))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(report) })
  response.end(report)
}

async function save(materialId: string, { html, state, files }: Draft): Promise<unknown> {
  const versionId = randomUUID()
  const metadata = { version_id: versionId, version_cdate: new Date().toISOString() }
  archives.set(versionId, zip(html, state, files, metadata))
  const { port } = server.address() as AddressInfo
  const contentUrl = `http://127.0.0.1:${port}/integration/download/media/bare/${versionId}`
  const payload = { event: 'article_saved', material_id: materialId, content_url: contentUrl, metadata, debug: false }
  const signature = createHmac('sha256', secret).update(`${materialId}:${contentUrl}`).digest('hex')
  const answer = JSON.parse(await post(JSON.stringify(payload), signature)) as { rc: number }
  archives.delete(versionId)
  return { delivered: true, answer, result: answer.rc === 1 ? 'merged' : 'rejected', version_id: versionId }
}

function zip(html: string, state: unknown, files: Draft['files'], metadata: unknown): Buffer {
  const archive = new AdmZip()
  archive.addFile('vms_html.html', Buffer.from(html))
  archive.addFile('vms_json.json', Buffer.from(JSON.stringify(state)))
  for (const [name, content] of Object.entries(files)) {
    archive.addFile(`vms_media/${name}`, Buffer.from(content, 'base64')).header.method = 0
  }
  archive.addFile('metadata_json.json', Buffer.from(JSON.stringify(metadata)))
  return archive.toBuffer()
}

function post(payload: string, signature: string): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(payload),
    'x-service-signature': signature,
  }
  return new Promise((resolve, reject) => {
    const sent = request(callbackUrl, { method: 'POST', headers, agent }, (answer) => resolve(textOf(answer)))
    sent.on('error', reject).end(payload)
  })
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.stdin.resume().on('end', () => process.exit(0))
