import { createHash } from 'node:crypto'
import { expect } from 'vitest'

import type { Galley } from '../../src/main/galley.ts'
import type { TestService } from '../support/service.ts'
import { send, signed } from '../support/test-galley.ts'
import { aZip } from '../support/zip.ts'

/** One delivery that the test sent, with all that must come back out of the library. */
export interface Sent {
  readonly kind: 'media' | 'fonts'
  readonly materialId: string
  readonly versionId: string
  readonly contentUrl: string
  readonly body: string
  readonly headers: Record<string, string>
  readonly html: string
  archive: Buffer
  /** The SHA-256 of every file. */
  readonly files: ReadonlyMap<string, string>
  /** The answer with `rc` 1 as it came, or null while there is none. */
  answer: string | null
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Bytes that do not compress and that nobody else has. */
function bytesOf(random: () => number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(Math.floor(random() * 2 ** 32), at)
  return bytes
}

let count = 0

/** Makes archives of mixed sizes: several files small enough for a pack, one or two that lie by themselves. */
export function createSaves(service: TestService, random: () => number) {
  const sizes = (): readonly number[] => [
    ...Array.from({ length: 2 + Math.floor(random() * 5) }, () => 1 + Math.floor(random() * 12_000)),
    65_536 + Math.floor(random() * 3),
    ...(random() < 0.6 ? [90_000 + Math.floor(random() * 250_000)] : []),
  ]

  function prepare(kind: Sent['kind'], materialId: string): Sent {
    count += 1
    const versionId = `${kind}-${count}`
    const contents = new Map(
      sizes().map((size, at) => [`${kind === 'media' ? 'picture' : 'font'}-${at}.bin`, bytesOf(random, size)]),
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
            'metadata_json.json': JSON.stringify({ version_id: versionId, version_cdate: new Date().toISOString() }),
          }
        : {
            'vms_fonts.css': names.map((name) => `@font-face{src:url(dummy-${name})}`).join(''),
            'vms_fonts.json': JSON.stringify(tree),
          }
    const archive = aZip([
      ...Object.entries(texts).map(([name, data]) => ({ name, data })),
      // Stored: packing noise would cost this process more than the listener's whole work.
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
    const files = new Map(Array.from(contents, ([name, bytes]) => [name, sha256(bytes)]))
    return { kind, materialId, versionId, contentUrl, body, headers, html, archive, files, answer: null }
  }

  return {
    prepare,
    /** The answer came. From now on the archive is gone: whoever asked for it again would get nothing. */
    acknowledge(sent: Sent, answer: string): void {
      sent.answer = answer
      sent.archive = Buffer.alloc(0)
      service.put(sent.kind, sent.versionId, Buffer.alloc(0))
    },
  }
}

/** Posts a delivery; null when the listener was gone before it answered. */
export async function post(listener: string, { body, headers }: Sent) {
  try {
    return await send(`${listener}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
  } catch {
    // Expected of a process that is killed: its answer was not heard, so nothing was promised.
    return null
  }
}

interface Answer {
  readonly data: {
    readonly vms_json?: { readonly assets: Record<string, { readonly clientUrl: string }> }
    readonly fonts?: { readonly list: readonly { readonly files: { woff2: { id: string; url?: string } } }[] }
  }
}

/** Checks that an acknowledged save is there: the same answer again, and every file over HTTP. */
export async function expectServed(listener: string, sent: Sent): Promise<void> {
  const again = await post(listener, sent)
  expect(again?.status, again?.text).toBe(200)
  expect(again?.text).toBe(sent.answer)
  const { data } = JSON.parse(sent.answer ?? '') as Answer
  for (const [name, hash] of sent.files) {
    const address =
      sent.kind === 'media'
        ? data.vms_json?.assets[name]?.clientUrl
        : `http://any/fonts/acme/${sent.versionId}/${encodeURIComponent(name)}`
    const { pathname } = new URL(address ?? 'missing:')
    const response = await fetch(listener + pathname)
    expect(response.status, `${name} of ${sent.versionId}`).toBe(200)
    expect(sha256(Buffer.from(await response.arrayBuffer())), `${name} of ${sent.versionId}`).toBe(hash)
  }
}

/** Checks the same past HTTP: version, page, state and media as the library itself gives them. */
export async function expectStored({ index, vault }: Galley, sent: Sent): Promise<void> {
  if (sent.kind === 'fonts') {
    const snapshot = index.snapshots.list('acme').find(({ snapshotId }) => snapshotId === sent.versionId)
    expect(snapshot?.files.toSorted(), sent.versionId).toStrictEqual([...sent.files.keys()].toSorted())
    return
  }
  const parts = index.versions.parts('acme', sent.materialId, sent.versionId)
  expect(parts, sent.versionId).not.toBeNull()
  if (!parts) return
  const text = async (blob: Parameters<typeof index.blobs.find>[0]): Promise<string> => {
    const place = index.blobs.find(blob)
    return place ? (await vault.readBytes(place)).toString('utf8') : 'missing'
  }
  const { data } = JSON.parse(sent.answer ?? '') as Answer
  const assets = data.vms_json?.assets ?? {}
  expect(await text(parts.state)).toBe(/"vms_json":(.*)\}\}$/s.exec(sent.answer ?? '')?.[1])
  const urls = new Map(Object.entries(assets).map(([name, { clientUrl }]) => [`dummy-${name}`, clientUrl]))
  expect(await text(parts.html)).toBe(sent.html.replaceAll(/dummy-[\w-]+\.bin/g, (name) => urls.get(name) ?? name))
  for (const { name, sha256: hash } of index.versions.media('acme', sent.materialId, sent.versionId)) {
    expect(hash, `${name} of ${sent.versionId}`).toBe(sent.files.get(name))
  }
}
