import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { onTestFinished } from 'vitest'

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'galley-export-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Every file below a folder by its path, with `/`. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .toSorted()

export const emptyFoldersIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readdirSync(path).length === 0)

/** The contents of a folder, as hashes by path. */
export const contentsOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(filesIn(folder).map((path) => [path, hashOf(join(folder, path))]))

export const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Changes whenever a file is written or replaced, even with the same bytes. */
export const marksOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filesIn(folder).map((path) => {
      const { ino, mtimeNs } = statSync(join(folder, path), { bigint: true })
      return [path, `${ino} ${mtimeNs}`]
    }),
  )
