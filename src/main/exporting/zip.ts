import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

import type { ExportFailure } from '../../contract/bundle/failure.ts'
import { compare } from '../../contract/bundle/order.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { Bundle, BundleFile } from './bundle.ts'
import { bytesOf } from './bundle.ts'
import type { Counts } from './counts.ts'
import { realDisk } from './disk.ts'
import { earlierZip, zipComment } from './earlier-zip.ts'
import { createZip } from './zip-writer.ts'

/** Writes a bundle as one ZIP beside its place and moves it there when it is whole. */
export async function writeZip(path: string, bundle: Bundle): Promise<Result<Counts, ExportFailure>> {
  const place = resolve(path)
  const found = await realDisk.look(place)
  const notOurs = (problem: string) => fail<ExportFailure>({ kind: 'not_ours', target: path, problem })
  if (found !== null && found.kind !== 'file') return notOurs('is not a plain file')
  const earlier = found === null || found.sizeBytes === 0 ? new Map<string, string>() : await earlierZip(place)
  if (earlier === null) return notOurs('was not written by an export')

  const folder = dirname(place)
  await mkdir(folder, { recursive: true })
  const unfinished = new RegExp(`^\\.${basename(place).replace(/[^\w]/g, '\\$&')}\\.[0-9a-f]{16}\\.galley-tmp$`)
  for (const name of (await readdir(folder)).filter((other) => unfinished.test(other))) {
    await rm(join(folder, name), { force: true })
  }

  const files = bundle.files.toSorted((a, b) => compare(a.path, b.path))
  const temporary = join(folder, `.${basename(place)}.${randomBytes(8).toString('hex')}.galley-tmp`)
  try {
    const failure = await writeFiles(temporary, files)
    if (failure !== null) return fail(failure)
    await rename(temporary, place)
  } finally {
    await rm(temporary, { force: true })
  }
  await realDisk.syncFolder(folder)
  return ok(count(files, earlier))
}

async function writeFiles(path: string, files: readonly BundleFile[]): Promise<ExportFailure | null> {
  await using file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o644)
  const zip = createZip(file)
  for (const entry of files) {
    if (entry.kind === 'blob') {
      const blob = entry.open()
      await zip.add(entry.path, entry.bytes, blob.chunks)
      const failure = blob.failure()
      if (failure !== null) return failure
    } else {
      const text = await entry.text()
      if (!text.ok) return text.failure
      await zip.add(entry.path, entry.bytes, bytesOf(text.value))
    }
  }
  await zip.finish(zipComment)
  await file.sync()
  return null
}

/** A ZIP is always written whole; the counts tell what differs from the one that was there. */
function count(files: readonly BundleFile[], earlier: ReadonlyMap<string, string>): Counts {
  const added = files.filter(({ path }) => !earlier.has(path)).length
  const unchanged = files.filter(({ path, sha256 }) => earlier.get(path) === sha256).length
  return {
    files: files.length,
    added,
    changed: files.length - added - unchanged,
    removed: earlier.size - (files.length - added),
    unchanged,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
