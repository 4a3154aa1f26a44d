import { createHash } from 'node:crypto'
import { open as openFile, readFile, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'

import type { BackupManifest } from '../../../packages/library/care/backup-format.ts'
import { backupComment, manifestPath, spanOf } from '../../../packages/library/care/backup-format.ts'
import { readLine, writeLine } from '../../../packages/library/log/line.ts'
import type { Entry } from '../../../packages/library/records/changes.ts'
import { createZip } from '../../../packages/platform/zip/zip-writer.ts'
import { readWithYauzl } from '../../support/unzip.ts'

/** What a forger changes in a backup; everything that depends on it is made consistent again. */
export interface Forgery {
  readonly log?: (bytes: Buffer) => Buffer
  /** Changes any entry by its path; null leaves it out. */
  readonly part?: (path: string, bytes: Buffer) => Buffer | null
  readonly parts?: Readonly<Record<string, Buffer>>
  readonly manifest?: (manifest: BackupManifest) => BackupManifest
}

/** Writes a backup again with other content and consistent hashes. */
export async function forgeAgain(
  path: string,
  { log = (bytes) => bytes, part = (_, bytes) => bytes, parts: added = {}, manifest: changed = (it) => it }: Forgery,
): Promise<void> {
  const { [manifestPath]: text = Buffer.alloc(0), ...others } = await readWithYauzl(await readFile(path))
  const contents = [...Object.entries(added), ...Object.entries(others)].flatMap(([name, bytes]) => {
    const other = part(name, name.startsWith('log/') ? log(bytes) : bytes)
    return other === null ? [] : [{ path: name, bytes: other }]
  })
  const manifest = JSON.parse(text.toString()) as BackupManifest
  const parts = contents
    .filter(({ path: name }) => !name.startsWith('files/'))
    .map(({ path: name, bytes }) => ({
      path: name,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }))
  const written = Buffer.from(JSON.stringify(changed({ ...manifest, parts })))
  await rm(path)
  await using file = await openFile(path, 'wx+')
  const zip = createZip(file)
  let offset = spanOf({ path: manifestPath, sizeBytes: 0 })
  for (const content of contents) {
    offset += spanOf({ path: content.path, sizeBytes: content.bytes.length })
    await zip.add(content.path, content.bytes.length, Readable.from([content.bytes]))
  }
  await zip.add(manifestPath, written.length, Readable.from([written]))
  await zip.finish(backupComment({ offset, sizeBytes: written.length }))
}

type Changes = Entry['changes']

/** A log with changed entries and consistent lengths, hashes and links. */
export function logSaying(bytes: Buffer, change: (changes: Changes) => Changes): Buffer {
  const lines: Buffer[] = []
  let last: string | null = null
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at) + 1
    const line = readLine(bytes.subarray(at, end))
    if (!line.ok) throw new Error('The log of this backup is damaged already')
    const { position, previous, changes } = line.entry
    const written = writeLine(position, last ?? previous, change(changes))
    last = written.hash
    lines.push(written.bytes)
    at = end
  }
  return Buffer.concat(lines)
}
