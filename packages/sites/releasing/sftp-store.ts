import { randomUUID } from 'node:crypto'
import { forEachConcurrently, leftBeside, textFile } from '@galley/platform'
import type { ListedFile, OutgoingFile } from '@galley/platform'
import { CausedError, cause } from '@galley/wire'
import type { Sha256 } from '@galley/wire'

import { foldersOf } from '../exporting/target-folder.ts'
import { verifiedBlob } from '../exporting/verified-blob.ts'
import { notesFolder } from './journal.ts'
import type { RemoteStore } from './remote-target.ts'
import type { SftpOptions } from './sftp-session.ts'
import { folderOf, openSftp } from './sftp-session.ts'

const staging = `${notesFolder}/staging`
/** Listing a folder takes four round trips, asking for a file one. */
const askedOneByOne = 4
const never = new AbortController().signal

/** A folder on a server, reached over SFTP. */
export async function sftpStore(options: SftpOptions): Promise<RemoteStore> {
  const files = await openSftp(options)
  const root = options.place.path.replace(/^~\//, '')
  const at = (path: string): string => `${root}/${path}`

  /** Sends a file to the folder for incomplete files. */
  async function stage(file: OutgoingFile, signal: AbortSignal): Promise<() => Promise<void>> {
    const { path, bytes, sha256 } = file
    await files.makeFolder(folderOf(at(path)))
    await files.makeFolder(at(staging))
    // Another computer may send files at the same time, until one of the two notices.
    const temporary = at(`${staging}/${randomUUID()}`)
    const openBlob = () => file.read(0, bytes)
    const checked = verifiedBlob({ openBlob }, { name: path, sha256: sha256 as Sha256, sizeBytes: bytes })
    await files.write(temporary, checked.chunks, signal)
    if (checked.failure() !== null) throw new CausedError(cause('file_missing'))
    return () => files.replace(temporary, at(path))
  }

  async function put(file: OutgoingFile, signal: AbortSignal) {
    const place = await stage(file, signal)
    await place()
    return {}
  }

  return {
    atATime: 8,
    list: (paths, signal) => listed(files, { root, at }, paths, signal),
    head: async ({ path, bytes }) => ((await files.inspect(at(path)))?.size === bytes ? 'there' : 'missing'),
    get: (path, take) => files.readWith(at(path), take),
    put,
    stage,
    async dropStaged() {
      for (const name of await files.list(at(staging))) await files.remove(at(`${staging}/${name}`))
    },
    async delete(paths) {
      for (const path of paths) await files.remove(at(path))
      // The inner ones first. A folder with other files stays.
      for (const folder of foldersOf(paths).toReversed()) await files.removeFolder(at(folder))
    },
    async probe(path, text) {
      const removeFolder = async (folder: string): Promise<void> => {
        await files.remove(at(`${folder}/index.html`))
        await files.removeFolder(at(folder))
      }
      for (const name of (await files.list(root)).filter(leftBeside(path))) await removeFolder(name)
      const page = textFile(path, text)
      await put(page, never)
      // Also over an existing file, as most pages are written.
      await put(page, never)
      return () => removeFolder(folderOf(path))
    },
    hasGaps: files.hasGaps,
    close: async () => files.close(),
  }
}

/** Lists the folders of these paths, or asks for each of a few paths. */
async function listed(
  files: Awaited<ReturnType<typeof openSftp>>,
  { root, at }: { readonly root: string; readonly at: (path: string) => string },
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ListedFile>> {
  const found = new Map<string, ListedFile>()
  const add = (path: string, bytes: number): void => void found.set(path, { bytes, md5: null })
  const byFolder = Map.groupBy(paths, folderOf)
  await forEachConcurrently(byFolder, 16, signal, async ([folder, wanted]) => {
    if (wanted.length <= askedOneByOne) {
      for (const path of wanted) {
        const there = await files.inspect(at(path))
        if (there) add(path, there.size)
      }
      return
    }
    const sizes = await files.sizesIn(folder === '' ? root : at(folder))
    for (const path of wanted) {
      const bytes = sizes.get(path.slice(folder === '' ? 0 : folder.length + 1))
      if (bytes !== undefined) add(path, bytes)
    }
  })
  return found
}
