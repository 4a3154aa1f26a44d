/** Generates saves: the archive of one version, as the service would send it, with media that no other save has. */

import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { writeZipFile, type ZipFileEntry, type ZipMethod } from './zip-file.ts'

export interface SaveShape {
  readonly files: number
  readonly fileBytes: number
  readonly method: ZipMethod
  /** The minimum size of the state. By default, what its files require. */
  readonly stateBytes?: number
  /** The page. By default, one that shows the files. */
  readonly html?: string
}

/** A save whose archive is ready at the service. */
export interface Save {
  readonly materialId: string
  readonly versionId: string
  readonly archiveFile: string
  readonly archiveBytes: number
  /** SHA-256 of each media file, by name. */
  readonly media: ReadonlyMap<string, string>
}

const sentence = 'The quick brown fox jumps over the lazy dog while the editor is being measured. '
let made = 0

/** Writes the archive of a new version into `folder`, where the service finds it by its version. */
export function makeSave(folder: string, materialId: string, shape: SaveShape): Save {
  made += 1
  const versionId = `v${String(made).padStart(6, '0')}`
  const media = new Map<string, string>()
  const archiveFile = join(folder, `${versionId}.zip`)
  const archiveBytes = writeZipFile(archiveFile, entriesOf(versionId, shape, media), shape.method)
  return { materialId, versionId, archiveFile, archiveBytes, media }
}

export const mediaName = (index: number): string => `photo-${String(index).padStart(5, '0')}.jpg`

function* entriesOf(versionId: string, shape: SaveShape, media: Map<string, string>): Generator<ZipFileEntry> {
  const names = Array.from({ length: shape.files }, (_, index) => mediaName(index))
  const figures = names.map(
    (name) => `<figure><img src="dummy-${name}" alt="${name}"><p>${sentence.repeat(4)}</p></figure>`,
  )
  const html = shape.html ?? `<article><h1>Save ${versionId}</h1>${figures.join('\n')}</article>`
  const assets = Object.fromEntries(names.map((name) => [name, { clientUrl: `dummy-${name}`, type: 'image' }]))
  const blocks = names.map((name, at) => ({ id: at, asset: name, width: 1200, height: 800, caption: sentence }))
  // An occasional paragraph that no other version has.
  const paragraphs = Array.from({ length: Math.ceil((shape.stateBytes ?? 0) / (sentence.length + 8)) }, (_, at) =>
    at % 997 === 0 ? `${sentence} ${versionId}` : `${sentence} ${at}`,
  )
  const metadata = { version_id: versionId, version_cdate: new Date().toISOString(), user_email: 'bench@example.test' }
  yield { name: 'vms_html.html', data: Buffer.from(html) }
  yield { name: 'vms_json.json', data: Buffer.from(JSON.stringify({ assets, blocks, paragraphs })) }
  for (const name of names) {
    const data = randomBytes(shape.fileBytes)
    media.set(name, createHash('sha256').update(data).digest('hex'))
    yield { name: `vms_media/${name}`, data }
  }
  yield { name: 'metadata_json.json', data: Buffer.from(JSON.stringify(metadata)) }
}
