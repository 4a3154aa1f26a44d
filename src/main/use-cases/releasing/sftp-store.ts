import { createHash, randomUUID } from 'node:crypto'

import { CausedError, cause } from '../../../contract/cause.ts'
import type { Sha256 } from '../../../contract/ids.ts'
import { chunksOf } from '../../platform/network/chunks.ts'
import { forEachConcurrently } from '../../platform/timing/concurrency.ts'
import { bytesOf } from '../exporting/content.ts'
import { foldersOf } from '../exporting/target-folder.ts'
import { verifiedBlob } from '../exporting/verified-blob.ts'
import { wholeOf } from './folder-target.ts'
import { leftBeside } from './probe-file.ts'
import type { ListedFile, RemoteStore } from './remote-target.ts'
import type { SftpOptions } from './sftp-session.ts'
import { openSftp } from './sftp-session.ts'

/** The folder of Galley's own records on the server. */
const notes = '.galley'
const staging = `${notes}/staging`
/** Listing a folder takes four round trips, asking for a file one. */
const askedOneByOne = 4
const never = new AbortController().signal

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/** A folder on a server, reached over SFTP, as the storage of a site. */
export async function sftpStore(options: SftpOptions): Promise<RemoteStore> {
  const files = await openSftp(options)
  const root = options.place.path.replace(/^~\//, '')
  const at = (path: string): string => `${root}/${path}`

  /** Sends a file to the folder for incomplete files. */
  async function sendBeside(bytes: AsyncIterable<Buffer>, signal: AbortSignal): Promise<string> {
    await files.makeFolder(at(staging))
    // Another computer may send files at the same time, until one of the two notices.
    const temporary = at(`${staging}/${randomUUID()}`)
    await files.write(temporary, bytes, signal)
    return temporary
  }

  async function stage(...[release, file, signal]: Parameters<RemoteStore['put']>): Promise<() => Promise<void>> {
    const { path, bytes, sha256 } = file
    await files.makeFolder(folderOf(at(path)))
    const openBlob = () => release.read(file, 0, bytes)
    const checked = verifiedBlob({ openBlob }, { name: path, sha256: sha256 as Sha256, sizeBytes: bytes })
    const temporary = await sendBeside(checked.chunks, signal)
    if (checked.failure() !== null) throw new CausedError(cause('file_missing'))
    return () => files.replace(temporary, at(path))
  }

  async function writeText(path: string, text: string): Promise<void> {
    await files.makeFolder(folderOf(at(path)))
    await files.replace(await sendBeside(bytesOf(text), never), at(path))
  }

  return {
    atATime: 8,
    readNote: (name) => files.readWith(at(`${notes}/${name}`), async (bytes) => (await wholeOf(bytes)).toString()),
    writeNote: (name, text) => writeText(`${notes}/${name}`, text),
    removeNote: (name) => files.remove(at(`${notes}/${name}`)),
    list: (paths, signal) => listed(files, { root, at }, paths, signal),
    has: async (_release, { path, bytes }) => (await files.inspect(at(path)))?.size === bytes,
    async put(release, file, signal) {
      await (
        await stage(release, file, signal)
      )()
      return undefined
    },
    stage,
    async dropStaged() {
      for (const name of await files.list(at(staging))) await files.remove(at(`${staging}/${name}`))
    },
    async remove(paths) {
      for (const path of paths) await files.remove(at(path))
      // The inner ones first. A folder with other files stays.
      for (const folder of foldersOf(paths).toReversed()) await files.removeFolder(at(folder))
    },
    hash: (path) =>
      files.readWith(at(path), async (bytes) => {
        const hash = createHash('sha256')
        for await (const chunk of chunksOf(bytes)) hash.update(chunk)
        return hash.digest('hex')
      }),
    async probe(path, text) {
      const removeFolder = async (folder: string): Promise<void> => {
        await files.remove(at(`${folder}/index.html`))
        await files.removeFolder(at(folder))
      }
      for (const name of (await files.list(root)).filter(leftBeside(path))) await removeFolder(name)
      await writeText(path, text)
      // Also over an existing file, as most pages are written.
      await writeText(path, text)
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
