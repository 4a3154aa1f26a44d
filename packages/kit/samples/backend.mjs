// A site backend of the hosted layout editor, for Node 22 or later: node backend.mjs. Add your login and your storage.
// POST /callback takes saves and fonts, GET /open/MATERIAL opens the editor, GET /page/MATERIAL shows what was saved.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { crc32, inflateRawSync } from 'node:zlib'

const { API_KEY = 'emulator-dev', API_SECRET = 'emulator-secret', DATA = 'data', PORT = '8080' } = process.env
const { BASE_URL = 'http://127.0.0.1:8788/integration', PUBLIC_URL = `http://127.0.0.1:${PORT}` } = process.env
const types = { css: 'text/css', gif: 'image/gif', jpg: 'image/jpeg', png: 'image/png', svg: 'image/svg+xml' }
const events = { media: 'article_saved', fonts: 'site_fonts_updated' }
const maxBytes = 200 * 1024 * 1024

const must = (isRight, message, status = 200) => {
  if (!isRight) throw Object.assign(new Error(message), { status })
}
/** What is thrown without a status of its own becomes this refusal, but for errors of the disk. */
const orElse = (action, message, status = 200) => {
  try {
    return action()
  } catch (error) {
    throw error.status || error.syscall ? error : Object.assign(new Error(message), { status })
  }
}
const sha256 = (data) => createHash('sha256').update(data).digest('hex')
const sign = (material, url) => createHmac('sha256', API_SECRET).update(`${material}:${url}`).digest('hex')
const utf8 = (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

// Names on the disk are hashes, never names from outside. A file is there as a whole or not at all.
const pathOf = (kind, id) => `${DATA}/${kind}-${sha256(id)}`
const read = (kind, id) => (existsSync(pathOf(kind, id)) ? readFileSync(pathOf(kind, id), 'utf8') : null)
const write = (kind, id, data) => {
  writeFileSync(`${DATA}/part`, data, { flush: true })
  renameSync(`${DATA}/part`, pathOf(kind, id))
}

/** The files of a ZIP archive by name. Throws if it is damaged or unsafe. */
function unzip(zip) {
  const end = zip.length - 22
  let at = zip.readUInt32LE(end + 16)
  must(zip.readUInt32LE(end) === 0x06054b50 && at + zip.readUInt32LE(end + 12) === end, 'The archive is no ZIP file')
  const files = new Map()
  const left = { packed: zip.length, unpacked: maxBytes }
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [flags, method, crc] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16)]
    const [packed, size, local] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24), zip.readUInt32LE(at + 42)]
    const name = zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28))
    const localName = zip.subarray(local + 30, local + 30 + zip.readUInt16LE(local + 26))
    const isSafe = !/[\0-\x1f\\]|^\/|^\w:|(^|\/)\.\.?(\/|$)/.test(utf8(name)) && !files.has(utf8(name))
    must(isSafe && name.equals(localName), 'The archive has an unsafe name')
    must((left.packed -= packed) >= 0 && (left.unpacked -= size) >= 0, 'The archive is too large')
    const start = local + 30 + localName.length + zip.readUInt16LE(local + 28)
    const raw = zip.subarray(start, start + packed)
    const data = method === 8 ? inflateRawSync(raw, { maxOutputLength: size + 1 }) : raw
    const isWhole = data.length === size && crc32(data) === crc
    must(isWhole && (method === 8 || method === 0) && (flags & 1) === 0, 'A file of the archive is damaged')
    files.set(utf8(name), data)
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}

/** All bytes of a stream, unless there are more. */
async function readAll(stream, most) {
  const pieces = []
  for await (const piece of stream) {
    must((most -= piece.length) >= 0, 'That is too large', 413)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** The archive of a callback. A redirect is not followed: the request has a signature, which never expires. */
async function download(material, contentUrl, tries = 3, signal = AbortSignal.timeout(120_000)) {
  const query = new URLSearchParams({ api_key: API_KEY, material_id: material })
  const headers = { 'X-Service-Signature': sign(material, contentUrl) }
  const options = { headers, redirect: 'manual', signal }
  try {
    const response = await fetch(`${contentUrl}${contentUrl.includes('?') ? '&' : '?'}${query}`, options)
    const { status } = response
    if (status !== 429 && status < 500) must(status === 200, `The download was answered with ${status}`, 502)
    else throw new Error('try again')
    must(Number(response.headers.get('content-length')) <= maxBytes, 'The archive is too large')
    return await readAll(response.body, maxBytes)
  } catch (error) {
    if (error.status !== undefined) throw error
    must(tries > 1, 'The download failed', 502)
    return download(material, contentUrl, tries - 1, signal)
  }
}

/** Makes the files of this folder public, and returns their URLs by name. */
function publish(files, folder) {
  const entries = [...files].filter(([name]) => name.startsWith(folder) && !name.endsWith('/'))
  const spelled = (name) => encodeURIComponent(name).replace(/['()*!]/g, (mark) => `%${mark.charCodeAt().toString(16)}`)
  for (const [, data] of entries) write('file', data, data)
  return new Map(
    entries.map(([entry, data]) => {
      const name = entry.slice(folder.length)
      return [name, `${PUBLIC_URL}/file/${sha256(data)}/${spelled(name)}`]
    }),
  )
}

/** The text with URLs in place of temporary names. Where one name begins with another, the longer one counts. */
function withUrls(text, urls) {
  const names = [...urls.keys()].toSorted((a, b) => b.length - a.length)
  const pattern = names.map((name) => name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')
  return pattern === '' ? text : text.replace(new RegExp(`dummy-(${pattern})`, 'g'), (_, name) => urls.get(name))
}

function storePage({ material_id: material, metadata }, files) {
  const urls = publish(files, 'vms_media/')
  const html = withUrls(utf8(files.get('vms_html.html')), urls)
  const text = utf8(files.get('vms_json.json'))
  must(isObject(JSON.parse(text)), 'The state is not an object')
  // Numbers stay as they were written, also those that JavaScript cannot hold.
  const exact = (_, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value)
  const state = JSON.parse(text, exact)
  for (const [name, asset] of Object.entries(state.assets ?? {})) {
    const url = urls.get(name) ?? asset?.clientUrl
    must(isObject(asset) && /^https?:/.test(url), 'The archive lacks the file of an asset')
    asset.clientUrl = url
  }
  // A save that arrives late does not replace a later one.
  const savedAt = Date.parse(metadata?.version_cdate) || Date.now()
  const isOld = savedAt < (JSON.parse(read('page', material))?.savedAt ?? 0)
  if (!isOld) write('page', material, JSON.stringify({ savedAt, html, state: JSON.stringify(state) }))
  return { rc: 1, rm: 'Saved successfully', data: { vms_json: state } }
}

function storeFonts({ fonts }, files) {
  const urls = publish(files, 'vms_fonts/')
  const sheet = Buffer.from(withUrls(utf8(files.get('vms_fonts.css')), urls))
  for (const [name, url] of publish(new Map([['vms_fonts.css', sheet]]), '')) urls.set(name, url)
  write('fonts', 'current', JSON.stringify({ sheet: urls.get('vms_fonts.css') }))
  const filled = (_, each) => (isObject(each) && urls.has(each.id) ? { ...each, clientUrl: urls.get(each.id) } : each)
  const data = isObject(fonts) ? { fonts: JSON.parse(JSON.stringify(fonts), filled) } : {}
  return { rc: 1, rm: 'Fonts saved successfully', data }
}

/** Downloads and stores what a callback announces. Returns the text of the answer. */
async function take(kind, payload, id) {
  const archive = await download(payload.material_id, payload.content_url)
  const files = orElse(() => unzip(archive), 'The archive is damaged')
  for (const name of kind === 'media' ? ['vms_html.html', 'vms_json.json'] : ['vms_fonts.css'])
    must(files.has(name), `The archive has no ${name}`)
  const stored = orElse(() => (kind === 'media' ? storePage : storeFonts)(payload, files), 'The archive cannot be read')
  const answer = JSON.stringify(stored)
  write('answer', id, answer)
  return answer
}

const running = new Map()

/** The answer to a callback, which is verified first. The same delivery gets the same answer and is stored once. */
async function answerTo({ headers }, body) {
  must(!headers.origin && !headers['sec-fetch-site'], 'Web pages cannot send callbacks', 403)
  const payload = orElse(() => Object(JSON.parse(utf8(body))), 'The body is not JSON', 400)
  const { event, material_id: material, content_url: contentUrl } = payload
  must(typeof material === 'string' && typeof contentUrl === 'string', 'material_id or content_url is missing', 400)
  const [given, right] = [String(headers['x-service-signature']).trim(), sign(material, contentUrl)]
  must(timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(right))), 'The signature is wrong', 400)
  // The signature covers neither the event nor the place of its colon: only addresses of the service are asked.
  const path = contentUrl.startsWith(BASE_URL) ? contentUrl.slice(BASE_URL.length) : ''
  const kind = /^\/download\/(media|fonts)\/[\w-]+\/[\w.-]+(?:\?[^#\s]*)?$/.exec(path)?.[1]
  must(kind !== undefined, 'content_url is not an address of the service', 400)
  must(event === undefined || event === events[kind], 'The event is unknown', 400)
  const id = `${material}:${contentUrl}`
  if (read('answer', id) !== null) return read('answer', id)
  if (!running.has(id))
    running.set(
      id,
      take(kind, payload, id).finally(() => running.delete(id)),
    )
  return running.get(id)
}

/** Opens a session with the state that was saved last. Returns the URL of the editor. */
async function open(material) {
  const callbackUrl = `${PUBLIC_URL}/callback`
  const { state } = JSON.parse(read('page', material)) ?? {}
  const request = JSON.stringify({ api_key: API_KEY, callback_url: callbackUrl, material_id: material })
  const body = state ? `${request.slice(0, -1)},"vms_json":${state}}` : request
  const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': sign(material, callbackUrl) }
  const response = await fetch(`${BASE_URL}/session/open`, { method: 'POST', headers, body })
  must(response.ok, `The service answered ${response.status}`, 502)
  return (await response.json()).url
}

/** Status, headers and body of the response to a request. */
async function respond(request) {
  const [, route, id = '', name = ''] = request.url.split(/[/?]/).map(decodeURIComponent)
  if (request.method === 'POST' && route === 'callback')
    return [
      200,
      { 'Content-Type': 'application/json' },
      await answerTo(request, await readAll(request, 4 * 1024 * 1024)),
    ]
  must(request.method === 'GET', 'Use GET', 405)
  if (route === 'open') return [303, { Location: await open(id) }]
  const page = route === 'page' ? JSON.parse(read('page', id)) : null
  if (page !== null) return [200, { 'Content-Type': 'text/html; charset=utf-8' }, page.html]
  const file = `${DATA}/file-${id}`
  must(route === 'file' && /^[0-9a-f]{64}$/.test(id) && existsSync(file), 'Nothing is here', 404)
  // What an editor has uploaded runs no script on this site. The hosted editor may load it.
  const type = types[name.split('.').at(-1).toLowerCase()] ?? 'application/octet-stream'
  const headers = { 'Content-Security-Policy': 'sandbox', 'Access-Control-Allow-Origin': '*' }
  return [200, { 'Content-Type': type, ...headers }, readFileSync(file)]
}

mkdirSync(DATA, { recursive: true })
const server = createServer({ requestTimeout: 15_000 }, (request, response) => {
  const failed = (error) => {
    if (error.status === undefined) console.error(error)
    const rm = error.status === undefined ? 'The site has a problem' : error.message
    return [error.status ?? 500, { 'Content-Type': 'application/json' }, JSON.stringify({ rc: 0, rm })]
  }
  const send = ([status, headers, body]) =>
    response.writeHead(status, { 'X-Content-Type-Options': 'nosniff', ...headers }).end(body)
  void respond(request).catch(failed).then(send)
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`${PUBLIC_URL}/callback`))
