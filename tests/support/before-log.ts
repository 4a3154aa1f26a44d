import { createHash } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import BetterSqlite3 from 'better-sqlite3'
import { onTestFinished } from 'vitest'

import { createArchiveWorkers } from '../../src/main/library/archive/client.ts'
import { migrationsBeforeLog } from '../../src/main/library/db/before-log/migrations.ts'
import { migrate } from '../../src/main/library/db/database/migrate.ts'
import { databaseFiles } from '../../src/main/library/db/database/open.ts'
import { createZip } from '../../src/main/platform/zip/zip-writer.ts'
import type { BackupManifest } from '../../src/main/use-cases/care/backup-format.ts'
import {
  backupComment,
  filePath,
  indexPath,
  manifestPath,
  spanOf,
} from '../../src/main/use-cases/care/backup-format.ts'
import type { RewritePorts } from '../../src/main/use-cases/care/rewritten-archives.ts'
import { builtThreads } from './built-threads.ts'
import type { Galley } from './open-galley.ts'
import { aFontsSave, aSave, createTestGalley, zipOf } from './test-galley.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Contains characters that percent-encoding and JSON encode differently. */
const token = (of: string): string => `canary of ${of}/+"1"`

export interface LibraryBeforeLog {
  readonly folder: string
  /** Each is in a row, in payloads and in a kept archive. */
  readonly tokens: readonly string[]
  /** The received and kept archives, by hash. */
  readonly archives: ReadonlyMap<string, Buffer>
}

/** What the service sent, and an early version of Galley stored unchanged. */
interface Early {
  readonly archives: Map<string, Buffer>
  /** By version. */
  readonly metadata: Map<string, string>
  readonly bodies: { readonly materialId: string; readonly contentUrl: string; readonly body: string }[]
}

/**
 * A library of a version of Galley that had no log and did not redact tokens, at schema 5: real saves, two of them of the
 * same archive, a font set and a refused callback.
 */
export async function aLibraryBeforeLog(versions = 3): Promise<LibraryBeforeLog> {
  const { folder, service, know, post, close } = await createTestGalley()
  const early: Early = { archives: new Map(), metadata: new Map(), bodies: [] }
  const tokens = [...Array.from({ length: versions }, (_, at) => token(`version ${at}`)), token('fonts')]

  const send = async ({ body, headers }: ReturnType<typeof aSave>, metadata: object, isStored = true) => {
    const sent = JSON.parse(body) as { material_id: string; content_url: string }
    const { material_id: materialId, content_url: contentUrl } = sent
    early.bodies.push({ materialId, contentUrl, body: JSON.stringify({ ...sent, metadata }) })
    const { rc } = (await post(body, headers)).json
    if ((rc === 1) !== isStored) throw new Error(`The callback ended with rc ${String(rc)}`)
  }
  const save = async (materialId: string, at: number, isStored = true) => {
    const metadata = {
      version_id: `v${at}`,
      version_cdate: new Date(1.7e12 + at).toISOString(),
      user_email: 'editor@example.test',
      timeLimitedAuthToken: tokens[at],
      nested: [{ apiKey: tokens[at], kept: at }],
    }
    const text = JSON.stringify(metadata)
    const archive = zipOf({
      'vms_html.html': `<h1>Version ${at}</h1><img src="dummy-a.png">`,
      'vms_json.json': JSON.stringify({ at, assets: { 'a.png': { clientUrl: 'dummy-a.png' } } }),
      'metadata_json.json': text,
      'vms_media/a.png': Buffer.alloc(70_000, at),
    })
    early.archives.set(sha256(archive), archive)
    early.metadata.set(`v${at}`, text)
    await send(aSave(service, { materialId, versionId: `v${at}`, archive, metadata }), metadata, isStored)
  }

  for (const materialId of ['post-1', 'post-2']) await know(materialId)
  for (let at = 0; at < versions; at += 1) await save('post-1', at)
  await save('post-2', 0)
  const told = { timeLimitedAuthToken: token('fonts') }
  const fonts = {
    'vms_fonts.css': 'a{}',
    'vms_fonts.json': '{"list":[]}',
    'vms_fonts/a.woff': 'x',
    'metadata_json.json': JSON.stringify(told),
  }
  early.archives.set(sha256(zipOf(fonts)), zipOf(fonts))
  await send(aFontsSave(service, 's1', fonts, { list: [] }), told)
  await save('never opened', 0, false)
  await close()
  takeBack(folder, early)
  return { folder, tokens, archives: early.archives }
}

/** The tables that exist in both schemas. */
const tables = ['site', 'material', 'version', 'media', 'snapshot', 'font_file', 'blob', 'callback'] as const

/** Converts a closed library to what the early version would have stored for the same saves. */
function takeBack(folder: string, { archives, metadata, bodies }: Early): void {
  const { index, local } = databaseFiles(folder)
  const made = join(folder, 'made.db')
  const db = new BetterSqlite3(made)
  migrate(db, migrationsBeforeLog)
  db.pragma('foreign_keys = OFF')
  db.prepare('ATTACH ? AS now').run(index)
  db.prepare('ATTACH ? AS machine').run(local)
  const columnsOf = db.prepare<[string, string], string>('SELECT name FROM pragma_table_info(?, ?)').pluck()
  for (const table of tables) {
    const from = table === 'callback' ? 'machine' : 'now'
    const known = columnsOf.all(table, from)
    const columns = columnsOf
      .all(table, 'main')
      .filter((name) => known.includes(name))
      .join(', ')
    db.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM ${from}.${table}`)
  }
  db.exec(`INSERT INTO setting VALUES ('library', 'an-old-library')`)
  for (const [versionId, text] of metadata)
    db.prepare('UPDATE main.version SET metadata = ? WHERE version_id = ?').run(text, versionId)
  const tell = db.prepare(
    'UPDATE main.callback SET payload = @body WHERE material_id = @materialId AND content_url = @contentUrl',
  )
  for (const sent of bodies) if (tell.run(sent).changes !== 1) throw new Error('A callback is not in the list')

  const pathOf = (hash: string): string => join(folder, 'files', hash.charAt(0), hash)
  const kept = 'SELECT kept_sha256 FROM main.version UNION SELECT kept_sha256 FROM main.snapshot'
  for (const hash of db.prepare<[], string>(kept).pluck().all()) rmSync(pathOf(hash))
  db.exec(`DELETE FROM main.blob WHERE sha256 IN (${kept})`)
  for (const table of ['version', 'snapshot']) db.exec(`UPDATE main.${table} SET kept_sha256 = archive_sha256`)
  for (const [hash, bytes] of archives) {
    writeFileSync(pathOf(hash), bytes)
    db.prepare('INSERT INTO main.blob VALUES (?, ?, NULL, 0)').run(hash, bytes.length)
  }
  db.close()
  for (const name of ['log', 'checkpoints', 'library.json'])
    rmSync(join(folder, name), { recursive: true, force: true })
  for (const file of [index, local]) for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  renameSync(made, index)
}

/** The dependencies of redacting archives, with their own thread. */
export function portsForRedacting({
  library,
  index,
  vault,
}: Pick<Galley, 'library' | 'index' | 'vault'>): RewritePorts {
  const workers = createArchiveWorkers({ script: builtThreads.archive, threads: 1 })
  onTestFinished(() => workers.close())
  return { library, index, vault, workers }
}

/** Backs up a library without a log, as its version of Galley did. */
export async function aBackupBeforeLog(folder: string, file: string): Promise<string> {
  const index = await readFile(databaseFiles(folder).index)
  const root = join(folder, 'files')
  const names = (await readdir(root, { recursive: true }))
    .map((path) => basename(path))
    .filter((name) => name.length === 64)
    .toSorted()
  const contents = await Promise.all(names.map((name) => readFile(join(root, name.charAt(0), name))))
  const manifest: BackupManifest = {
    format: 'galley-backup',
    version: 1,
    created_at: new Date().toISOString(),
    missing: [],
    index: { bytes: index.length, sha256: sha256(index) },
    files: names.map((name, at) => ({ name, bytes: contents[at]?.length ?? 0 })),
  }
  const entries = [index, ...contents].map((bytes, at) => {
    const name = names[at - 1]
    return { path: name === undefined ? indexPath : filePath(name), bytes }
  })
  const text = Buffer.from(JSON.stringify(manifest))
  await using handle = await open(file, 'wx+')
  const zip = createZip(handle)
  let offset = spanOf({ path: manifestPath, sizeBytes: 0 })
  for (const { path, bytes } of entries) {
    offset += spanOf({ path, sizeBytes: bytes.length })
    await zip.add(path, bytes.length, Readable.from([bytes]))
  }
  await zip.add(manifestPath, text.length, Readable.from([text]))
  await zip.finish(backupComment({ offset, sizeBytes: text.length }))
  return file
}
