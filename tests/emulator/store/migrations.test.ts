import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AdmZip from 'adm-zip'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { openStore } from '../../../src/emulator/store/open-store.ts'
import { migrations } from '../../../src/emulator/store/schema.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'galley-emulator-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** An archive as in schema 1: media stored, texts deflated. */
function archiveOf(stored: Record<string, string>, texts: Record<string, string>): Buffer {
  const zip = new AdmZip()
  for (const [name, text] of Object.entries(stored)) zip.addFile(name, Buffer.from(text)).header.method = 0
  for (const [name, text] of Object.entries(texts)) zip.addFile(name, Buffer.from(text))
  return zip.toBuffer()
}

test('data of schema 1 is migrated: sessions, archives and their contents', () => {
  const file = join(folder, 'emulator.db')
  const media = archiveOf({ 'vms_media/фото.png': 'picture' }, { 'vms_html.html': '<p></p>'.repeat(100) })
  const fonts = archiveOf({ 'vms_fonts/a.woff2': 'font' }, { 'vms_fonts.css': '@font-face{font-family:A}' })
  const db = new Database(file)
  db.exec(String(migrations[0]))
  db.pragma('user_version = 1')
  db.exec(`INSERT INTO session (session_id, fingerprint, api_key, material_id, callback_url, metadata, state, version_id,
    last_cdate_ms, opened_ms, last_access_ms) VALUES ('s', 'f', 'k', 'm', 'http://localhost/', '{}', '{}', 'v', 1, 1, 1)`)
  db.prepare(`INSERT INTO version VALUES ('v', 's', 1, NULL, '<p></p>', '{"n":1}', 'merged', NULL, 'ok', ?)`).run(media)
  db.prepare(`INSERT INTO snapshot VALUES ('n', 'f', 'k', 'm', 1, '{}', 'merged', NULL, 'ok', ?)`).run(fonts)
  db.close()

  const { sessions, versions, snapshots, contents, close } = openStore(file)
  expect(sessions.byFingerprint('f')).toMatchObject({ versionId: 'v', baseVersionId: 'v' })
  expect(versions.list('s')).toMatchObject([{ versionId: 'v', mediaCount: 1, sizeBytes: media.length }])
  const read = (bytes: Parameters<typeof contents.readWhole>[0] | null) => bytes && contents.readWhole(bytes)
  expect(read(versions.archive('s', 'v'))).toEqual(media)
  expect(String(read(versions.media('s', 'v', 'фото.png')))).toBe('picture')
  expect(read(snapshots.archive('n'))).toEqual(fonts)
  expect(String(read(snapshots.font('n', 'a.woff2')))).toBe('font')
  expect(snapshots.latestAccepted('k')).toEqual({ snapshotId: 'n', css: '@font-face{font-family:A}' })
  close()
})

test('deleted sessions delete their archives', () => {
  const file = join(folder, 'emulator.db')
  const { sessions, versions, restoredFiles, contents, close } = openStore(file)
  const session = {
    sessionId: 's',
    fingerprint: 'f',
    apiKey: 'k',
    materialId: 'm',
    callbackUrl: '',
    origin: '',
    metadata: '{}',
  }
  sessions.add({ ...session, state: '{}', versionId: null, baseVersionId: null, lastAccessMs: 1 })
  const version = {
    versionId: 'v',
    sessionId: 's',
    cdateMs: 1,
    savedMs: 1,
    userEmail: null,
    html: '',
    state: '{}',
    metadata: '{}',
  }
  versions.add({ ...version, archive: archiveOf({ 'vms_media/a': 'picture' }, {}) })
  restoredFiles.addWanted('s', [{ name: 'b', url: 'http://localhost/b', reason: 'not yet' }])
  restoredFiles.markFetched('s', 'b', contents.add(Buffer.from('restored'), []))
  sessions.dropUnusedSince(2)
  close()
  const db = new Database(file)
  for (const table of ['session', 'version', 'restored_file', 'content', 'chunk', 'stored_file'])
    expect([table, db.prepare(`SELECT count(*) AS n FROM ${table}`).get()]).toEqual([table, { n: 0 }])
  db.close()
})

test('data of a newer program is refused and not changed', () => {
  const file = join(folder, 'emulator.db')
  const db = new Database(file)
  db.pragma('user_version = 99')
  db.close()
  expect(() => openStore(file)).toThrow('This emulator data was written by a newer Galley (schema 99)')
})
