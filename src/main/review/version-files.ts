import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Index, Vault } from '@galley/library'
import type { Answer } from '@galley/library/records'
import { chunksOf, digestOf, isSystemError, shownCode } from '@galley/platform'
import { fail, ok } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import type { VersionFile } from '../../ipc/version-files.ts'

type VersionRef = Omit<VersionFile, 'kind'>

interface Ports {
  readonly index: Pick<Index, 'versions' | 'versionList' | 'materials' | 'blobs'>
  readonly vault: Pick<Vault, 'read' | 'ensureLocal' | 'pathOf'>
  /** `Harbour, version 3`, in the language of the app. */
  readonly named: (title: string, number: number) => string
}

/** What this process has in its temporary folder. The program that took an older one has had time to read it. */
const keptCopies = 20

/** Characters that no system has in names, and those that would show a name from right to left. */
const unusable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF<>:"/\\|?*]+/gu
/** What Windows takes for a device, whatever follows the first dot. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=$|[ .])/iu

/** Every system takes 255 bytes; the number, the ending and what a program adds to a second copy need room too. */
const titleBytes = 160

/** The beginning of a text that is at most so long in UTF-8. */
function cutAt(text: string, maxBytes: number): string {
  let cut = ''
  let bytes = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > maxBytes) break
    cut += segment
  }
  return cut
}

/**
 * A name for a file of a version that every system takes. `named` puts title and number in words: `Harbour, version 3`.
 * @param ending Without a dot
 */
export function versionFileName(title: string, ending: string, named: (title: string) => string): string {
  const clean = cutAt(title.normalize('NFC').replace(unusable, ' ').replace(/\s+/gu, ' ').trim(), titleBytes)
    .replace(/^[. ]+|[. ]+$/gu, '')
    .replace(device, '_$&')
  return `${named(clean === '' ? 'Galley' : clean)}.${ending}`
}

/**
 * Copies of what is stored of a version, for other programs: under a name that says what it is, and what they do to it
 * changes nothing in the library.
 */
export function createVersionFiles({ index, vault, named }: Ports) {
  let folder: string | null = null
  let count = 0
  const copies = new Map<string, Promise<Answer<string>>>()

  function nameOf({ site, materialId, versionId }: VersionRef, ending: string): string | null {
    const version = index.versionList.find(site, materialId, versionId)
    const title = index.materials.find(site, materialId)?.title ?? ''
    if (version === null) return null
    return versionFileName(title || materialId, ending, (clean) => named(clean, version.number))
  }

  /** A folder of its own for each copy, so that all can have the same name. */
  function newFolder(): string {
    folder ??= mkdtempSync(join(tmpdir(), 'galley-files-'))
    count += 1
    const own = join(folder, String(count))
    mkdirSync(own, { mode: 0o700 })
    return own
  }

  async function copyBlob(sha256: Sha256, name: string): Promise<Answer<string>> {
    const damaged = fail({ code: 'damaged_blob', state: 'copying', name, sha256, problem: 'altered' } as const)
    const slice = index.blobs.find(sha256)
    if (slice === null) return damaged
    await vault.ensureLocal(slice.file)
    const hash = createHash('sha256')
    async function* hashed(stored: Readable) {
      for await (const chunk of chunksOf(stored)) {
        hash.update(chunk)
        yield chunk
      }
    }
    let path = ''
    try {
      path = join(newFolder(), name)
      await pipeline(vault.read(slice), hashed, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      if (digestOf(hash) === sha256) return ok(path)
    } catch (error) {
      if (!isSystemError(error)) throw error
      if (error.path !== vault.pathOf(slice.file))
        return fail({ code: 'io_failed', state: 'copying', errno: shownCode(error) } as const)
    }
    await rm(path, { force: true })
    return damaged
  }

  async function make(file: VersionFile, name: string): Promise<Answer<string>> {
    const parts = index.versions.parts(file.site, file.materialId, file.versionId)
    if (parts === null) return fail({ code: 'unknown_version' } as const)
    return copyBlob(parts[file.kind === 'html' ? 'html' : 'kept'], name)
  }

  async function forget(key: string): Promise<void> {
    const made = await copies.get(key)
    copies.delete(key)
    if (made?.ok === true) await rm(dirname(made.value), { recursive: true, force: true })
  }

  return {
    /** The name of a file of a version, without its path; null if there is no such version. */
    nameOf,
    /** The path of a copy in a folder of this account alone. Throws errors of a team's bucket. */
    async copy(file: VersionFile): Promise<Answer<string>> {
      const name = nameOf(file, file.kind)
      if (name === null) return fail({ code: 'unknown_version' } as const)
      const key = JSON.stringify([file.site, file.materialId, file.versionId, name])
      const before = await copies.get(key)
      if (before?.ok === true && existsSync(before.value)) return before
      const making = make(file, name)
      copies.delete(key)
      copies.set(key, making)
      const [oldest] = copies.keys()
      if (copies.size > keptCopies && oldest !== undefined) await forget(oldest)
      return making
    },
    /** Deletes all copies. */
    stop(): void {
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type VersionFiles = ReturnType<typeof createVersionFiles>
