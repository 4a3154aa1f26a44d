import AdmZip from 'adm-zip'
import type { Database } from 'better-sqlite3'

import { fontsCssName } from '../../contract/protocol/public-url.ts'
import { storedFilesOf } from '../archives/stored-files.ts'
import { createContents } from './contents.ts'

/** Schema 3: moves archives from single BLOBs to contents, and adds the CSS of font sets. One archive at a time. */
export function moveArchives(db: Database): void {
  const contents = createContents(db)
  const move = (archive: Buffer): number => contents.add(archive, storedFilesOf(archive))

  const versions = db.prepare<[], { version_id: string }>('SELECT version_id FROM version').all()
  const versionArchive = db.prepare<[string], { archive: Buffer }>('SELECT archive FROM version WHERE version_id = ?')
  const moveVersion = db.prepare<[number, string]>('UPDATE version SET content_id = ? WHERE version_id = ?')
  for (const { version_id: id } of versions) {
    const archive = versionArchive.get(id)?.archive
    if (archive !== undefined) moveVersion.run(move(archive), id)
  }

  const snapshots = db.prepare<[], { snapshot_id: string }>('SELECT snapshot_id FROM snapshot').all()
  const fonts = db.prepare<[string], { archive: Buffer }>('SELECT archive FROM snapshot WHERE snapshot_id = ?')
  const moveFonts = db.prepare<[number, string, string]>(
    'UPDATE snapshot SET content_id = ?, css = ? WHERE snapshot_id = ?',
  )
  for (const { snapshot_id: id } of snapshots) {
    const archive = fonts.get(id)?.archive
    if (archive === undefined) continue
    moveFonts.run(move(archive), new AdmZip(archive).readAsText(fontsCssName), id)
  }
}
