import { createHash } from 'node:crypto'

import { send, signed } from './delivery.ts'
import type { TestService } from './service.ts'
import { aZip } from './zip.ts'

/** One delivery that the test sent, with everything that the library must return. */
export interface Sent {
  readonly kind: 'media' | 'fonts'
  readonly materialId: string
  readonly versionId: string
  /** The time of the save in the editor, or null if the archive does not contain it. */
  readonly versionCdate: string | null
  readonly contentUrl: string
  readonly body: string
  readonly headers: Record<string, string>
  readonly html: string
  archive: Buffer
  /** The SHA-256 of every file. */
  readonly files: ReadonlyMap<string, string>
  /** The answer with `rc` 1 as received, or null before that. */
  answer: string | null
}

export const sha256Of = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Unique bytes that do not compress. */
function bytesOf(random: () => number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(Math.floor(random() * 2 ** 32), at)
  return bytes
}

/** Deviations from the usual save. */
export interface SaveShape {
  /** The total size of the files of one save, in bytes. */
  readonly sizes?: readonly number[]
  /** The time of the save in the editor; null omits it. */
  readonly savedAt?: () => Date | null
}

let count = 0

/** Creates archives of mixed sizes: several files that are small enough for a pack, and one or two separate ones. */
export function createSaves(service: TestService, random: () => number, shape: SaveShape = {}) {
  const { savedAt = () => new Date() } = shape
  const mixed = (): readonly number[] => [
    ...Array.from({ length: 2 + Math.floor(random() * 5) }, () => 1 + Math.floor(random() * 12_000)),
    65_536 + Math.floor(random() * 3),
    ...(random() < 0.6 ? [90_000 + Math.floor(random() * 250_000)] : []),
  ]

  function prepare(kind: Sent['kind'], materialId: string): Sent {
    count += 1
    const versionId = `${kind}-${count}`
    const versionCdate = savedAt()?.toISOString() ?? null
    const contents = new Map(
      (shape.sizes ?? mixed()).map((size, at) => [
        `${kind === 'media' ? 'picture' : 'font'}-${at}.bin`,
        bytesOf(random, size),
      ]),
    )
    const names = [...contents.keys()]
    const html = `<article>${versionId}${names.map((name) => `<img src="dummy-${name}">`).join('')}</article>`
    const tree = { list: names.map((id) => ({ files: { woff2: { id } } })) }
    const texts: Record<string, string> =
      kind === 'media'
        ? {
            'vms_html.html': html,
            'vms_json.json': JSON.stringify({
              made: versionId,
              assets: Object.fromEntries(names.map((name) => [name, { clientUrl: `dummy-${name}` }])),
            }),
            'metadata_json.json': JSON.stringify({
              version_id: versionId,
              version_cdate: versionCdate ?? undefined,
            }),
          }
        : {
            'vms_fonts.css': names.map((name) => `@font-face{src:url(dummy-${name})}`).join(''),
            'vms_fonts.json': JSON.stringify(tree),
          }
    const archive = aZip([
      ...Object.entries(texts).map(([name, data]) => ({ name, data })),
      // Stored, because compressing noise would cost this process more than all of the listener's work.
      ...Array.from(contents, ([name, data]) => ({ name: `vms_${kind}/${name}`, data, method: 0 })),
    ])
    const contentUrl = service.put(kind, versionId, archive)
    const event = kind === 'media' ? 'article_saved' : 'site_fonts_updated'
    const { body, headers } = signed(service, {
      event,
      material_id: materialId,
      content_url: contentUrl,
      ...(kind === 'fonts' && { fonts: tree }),
    })
    const files = new Map(Array.from(contents, ([name, bytes]) => [name, sha256Of(bytes)]))
    return { kind, materialId, versionId, versionCdate, contentUrl, body, headers, html, archive, files, answer: null }
  }

  return {
    prepare,
    /** Called after the answer. The archive is removed then, so that a second request for it fails. */
    acknowledge(sent: Sent, answer: string): void {
      sent.answer = answer
      sent.archive = Buffer.alloc(0)
      service.put(sent.kind, sent.versionId, Buffer.alloc(0))
    },
  }
}

/** Posts a delivery. Null if the listener ended before it answered. */
export async function post(listener: string, { body, headers }: Pick<Sent, 'body' | 'headers'>) {
  try {
    return await send(`${listener}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
  } catch {
    // Expected if the process is killed: without an answer, nothing was promised.
    return null
  }
}

/** The checked part of an answer with `rc` 1. */
export interface SavedAnswer {
  readonly data: {
    readonly vms_json?: { readonly assets: Record<string, { readonly clientUrl: string }> }
    readonly fonts?: { readonly list: readonly { readonly files: { woff2: { id: string; url?: string } } }[] }
  }
}

/** The problem of an acknowledged save over HTTP, or null: the same answer again, and every file byte for byte. */
export async function servedProblem(listener: string, sent: Sent): Promise<string | null> {
  const again = await post(listener, sent)
  if (again?.status !== 200 || again.text !== sent.answer) {
    return `${sent.versionId} was acknowledged, and its repetition is answered ${again?.status}: ${again?.text.slice(0, 200)}`
  }
  const { data } = JSON.parse(sent.answer ?? '') as SavedAnswer
  for (const [name, hash] of sent.files) {
    const address =
      sent.kind === 'media'
        ? data.vms_json?.assets[name]?.clientUrl
        : `http://any/fonts/acme/${sent.versionId}/${encodeURIComponent(name)}`
    const response = await fetch(listener + new URL(address ?? 'missing:').pathname)
    const found = sha256Of(Buffer.from(await response.arrayBuffer()))
    if (response.status !== 200) return `${name} of ${sent.versionId} is answered ${response.status}`
    if (found !== hash) return `${name} of ${sent.versionId} has other bytes`
  }
  return null
}
