import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncFileNow, syncFolderNow } from '@galley/platform'

import { readLine } from '../../log/line.ts'
import { openLog } from '../../log/log.ts'
import type { LogMark } from '../../log/mark.ts'
import { databaseFiles, inspectIndex } from '../database/open.ts'
import { EarlierLibraryError, NewerLibraryError } from '../database/other-versions.ts'
import { lastMark } from '../index-copy.ts'

/** The format of everything in a library folder. Earlier builds called theirs `format`, and refuse a library with a 2 there. */
const formats = { galley: 1, format: 2 }

export const nameFile = (folder: string): string => join(folder, 'library.json')

/** The name in `library.json`; null if the file is missing or damaged. Throws NewerLibraryError and EarlierLibraryError. */
export function writtenName(folder: string): string | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(nameFile(folder), 'utf8'))
  } catch {
    return null
  }
  const { library, galley, format } = Object(parsed) as Record<'library' | 'galley' | 'format', unknown>
  if (galley === undefined && format === 1) throw new EarlierLibraryError()
  if (typeof galley === 'number' && galley > formats.galley) throw new NewerLibraryError('its folder')
  return typeof library === 'string' ? library : null
}

/** Throws NewerLibraryError and EarlierLibraryError, before anything is created in the folder. */
export function demandKnownFormat(folder: string): void {
  if (writtenName(folder) === null && inspectIndex(databaseFiles(folder).index).kind === 'earlier')
    throw new EarlierLibraryError()
  demandKnownEnd(folder)
}

/** An index that a later version has brought to the end of the log is usable here, though entries before that end are not. */
function demandKnownEnd(folder: string): void {
  const mark = lastMarkIfRead(databaseFiles(folder).index)
  const line = mark && openLog(folder).lineOf(mark)
  const read = line && readLine(line)
  if (read?.ok === false && read.fault === 'newer') throw new NewerLibraryError('its log')
}

/** Null also on a disk where SQLite cannot read: opening the library finds out why. */
function lastMarkIfRead(index: string): LogMark | null {
  try {
    return lastMark(index)
  } catch {
    return null
  }
}

export function writeName(folder: string, library: string): void {
  const file = nameFile(folder)
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...formats, library })}\n`, { mode: 0o600 })
  syncFileNow(`${file}.new`)
  renameSync(`${file}.new`, file)
  syncFolderNow(folder)
}
