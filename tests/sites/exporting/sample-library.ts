import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { pageDefaults, publishingDefaults } from '../../../packages/library/records/site-model-fields.ts'
import type { MediaFile } from '../../../packages/library/records/version.ts'
import type { BundlePage } from '../../../packages/sites/bundle/layout.ts'
import type { ExportOptions } from '../../../packages/sites/exporting/export-bundle.ts'
import type { BundleSource } from '../../../packages/sites/exporting/source.ts'
import type { Sha256 } from '../../../packages/wire/ids.ts'
import { mediaPath } from '../../../packages/wire/protocol/public-url.ts'

export const publicBase = 'http://127.0.0.1:8787'
const fontsBase = `${publicBase}/fonts/site/s1`
const defaultTheme = join(import.meta.dirname, '../../../resources/themes/default')

export const plainOptions: ExportOptions = { baseUrl: null, check: 'warn', themes: [defaultTheme] }

const shaOf = (bytes: Buffer): Sha256 => createHash('sha256').update(bytes).digest('hex') as Sha256

/** A library in memory. Everything that must never leave it contains the word PRIVATE. */
export function createSampleLibrary() {
  const blobs = new Map<Sha256, Buffer>()
  const served = new Map<string, MediaFile>()
  const pages: BundlePage[] = []
  const keep = (content: Buffer | string): Sha256 => {
    const bytes = Buffer.from(content)
    const sha256 = shaOf(bytes)
    blobs.set(sha256, bytes)
    return sha256
  }
  const media = (name: string, content: Buffer | string): MediaFile => {
    const sha256 = keep(content)
    const file = { name, sizeBytes: Buffer.byteLength(content), sha256, url: publicBase + mediaPath(sha256, name) }
    served.set(file.url, file)
    return file
  }
  const save = (materialId: string, html: string, files: readonly MediaFile[] = [], title = `Page ${materialId}`) => {
    const page = {
      materialId,
      title,
      slug: `page-${materialId}`,
      settings: pageDefaults,
      version: {
        versionId: `v-${shaOf(Buffer.from(html)).slice(0, 8)}`,
        versionCdate: '2024-03-01T10:00:00+00:00',
        receivedAt: '2024-03-01T10:00:05.000Z',
        html: keep(html),
        media: files,
        verdict: null,
        // Other members of a summary in the library, to detect an export that copies too much.
        userEmail: 'PRIVATE@example.org',
        userIp: '203.0.113.77',
        metadata: '{"webhook_auth_password":"PRIVATE"}',
        state: '{"assets":{"PRIVATE":{}}}',
      },
    }
    const index = pages.findIndex((other) => other.materialId === materialId)
    if (index === -1) pages.push(page)
    else pages[index] = page
  }
  const font = { ...media('Inter Var.woff2', 'font bytes'), url: `${fontsBase}/Inter%20Var.woff2` }
  const source = (): BundleSource => ({
    site: {
      id: 'site',
      name: 'The Site',
      publishing: publishingDefaults,
      tagFolders: new Map(),
      hasChosenHome: false,
      publicBases: [publicBase],
      withheld: [],
    },
    pages: [...pages],
    fonts: {
      css: keep(`@font-face{font-family:Inter;src:url(${font.url}) format('woff2')}`),
      cssUrls: [`${fontsBase}/vms_fonts.css`, `${publicBase}/fonts/site/current.css`],
      files: [font],
    },
    mediaAt: (url) => served.get(url) ?? null,
    openBlob(blob) {
      const bytes = blobs.get(blob)
      // Small chunks, as from a disk.
      return bytes === undefined
        ? new Readable({ read() { this.destroy(new Error('no such blob')) } }) // prettier-ignore
        : Readable.from(chunksOf(bytes), { objectMode: false })
    },
  })
  return { media, save, source, blobs, pages }
}

function* chunksOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384)
}

/** A library with a bit of everything. */
export function createFilledLibrary() {
  const library = createSampleLibrary()
  const hero = library.media('Hero image.png', Buffer.alloc(40_000, 'hero'))
  const earlier = library.media('earlier.png', 'from an earlier save')
  const logo = library.media('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  library.save(
    '1',
    `<article class="vrstk-article" data-vrstk-article=""><style>.a{background:url("${hero.url}")}</style>
     <img src="${hero.url}" srcset="${hero.url} 1x, ${logo.url} 2x"><img src="${earlier.url}">
     <script type="application/json" data-vrstk-article-payload="">{"src":"${hero.url}"}</script></article>`,
    [hero, logo, library.media('unused.mp4', Buffer.alloc(100_000, 'video'))],
  )
  library.save('2', `<h1>Plain</h1><p>Text &amp; <a href="https://elsewhere.example/">a link</a></p>`)
  return library
}
