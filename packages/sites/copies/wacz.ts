/** Web archives in the format WACZ 1.1.1, which ReplayWeb.page and other viewers open. */

import { createHash } from 'node:crypto'
import type { ExportFailure } from '@galley/library/records'
import { sha256Of } from '@galley/platform'
import type { Result } from '@galley/wire'
import { encodeSegment } from '@galley/wire'

import { pageAlone } from '../bundle/page-alone.ts'
import type { VersionCopy } from './version-copy.ts'
import { checkedFiles } from './version-copy.ts'
import type { ArchivedFile } from './warc.ts'
import { indexLine, infoRecord, recordEnd, responseHead } from './warc.ts'
import type { CopyEntry, WrittenCopy } from './write-copy.ts'
import { textEntry, writeCopy } from './write-copy.ts'

export interface WaczFacts {
  readonly title: string
  /** The language of a page that states none, as BCP 47 has it. */
  readonly language: string
  /** The name and version of the program. */
  readonly software: string
}

/**
 * Writes a version as a web archive: its page, completed as an export completes it, and the files that it shows. The page has an
 * address in `.invalid`, because it was not taken from a website. The same version gives the same bytes. The archive holds no
 * metadata of the version, no state, and nothing about persons but what the page itself says.
 */
export function writeWacz(
  file: string,
  copy: VersionCopy,
  { title, language, software }: WaczFacts,
): Promise<Result<WrittenCopy, ExportFailure>> {
  const { site, materialId, versionId, receivedAt } = copy.version
  const date = `${new Date(receivedAt).toISOString().slice(0, 19)}Z`
  const page = Buffer.from(pageAlone(copy.html.toString('utf8'), language, copy.fontsUrl))
  const url = `https://${site}.galley.invalid/${encodeSegment(materialId)}/${versionId}`
  const first = { url, type: 'text/html; charset=utf-8', sizeBytes: page.length, sha256: sha256Of(page) }
  const info = infoRecord(software, date)
  const { bytesOf, failure } = checkedFiles(copy)
  const records = [
    { file: first, content: textEntry('', page).chunks },
    ...copy.files.map((each) => ({ file: each satisfies ArchivedFile, content: bytesOf(each) })),
  ]
  const index: string[] = []
  let end = Buffer.byteLength(info)
  for (const { file: about } of records) {
    const length = Buffer.byteLength(responseHead(about, date)) + about.sizeBytes
    index.push(indexLine(about, date, { offset: end, length: length + recordEnd.length }))
    end += length + recordEnd.length
  }

  async function* archive(): AsyncIterable<Buffer> {
    yield Buffer.from(info)
    for (const { file: about, content } of records) {
      yield Buffer.from(responseHead(about, date))
      yield* content
      yield Buffer.from(recordEnd)
    }
  }

  const pages = [
    { format: 'json-pages-1.0', id: 'pages', title: 'All Pages' },
    { id: versionId, url, title, ts: date },
  ]
  const texts = [
    textEntry('indexes/index.cdx', jsonLinesOf(index.toSorted())),
    textEntry('pages/pages.jsonl', jsonLinesOf(pages.map((each) => JSON.stringify(each)))),
  ]
  const data: CopyEntry = { path: 'archive/data.warc', sizeBytes: end, chunks: archive() }
  const about = { title, software, created: date, mainPageUrl: url, mainPageDate: date }
  return writeCopy(file, packaged([data, ...texts], about), failure)
}

const jsonLinesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** The entries, and the description of the package, which has their hashes. */
function* packaged(entries: readonly CopyEntry[], about: Readonly<Record<string, string>>): Iterable<CopyEntry> {
  const resources: { name: string; path: string; hash: string; bytes: number }[] = []
  for (const { path, sizeBytes, chunks } of entries) {
    const hash = createHash('sha256')
    const hashed = async function* () {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    }
    yield { path, sizeBytes, chunks: hashed() }
    const name = path.slice(path.lastIndexOf('/') + 1)
    resources.push({ name, path, hash: `sha256:${hash.digest('hex')}`, bytes: sizeBytes })
  }
  const description = JSON.stringify({ profile: 'data-package', wacz_version: '1.1.1', ...about, resources }, null, 2)
  yield textEntry('datapackage.json', description)
  const digest = { path: 'datapackage.json', hash: `sha256:${sha256Of(description)}` }
  yield textEntry('datapackage-digest.json', JSON.stringify(digest, null, 2))
}
