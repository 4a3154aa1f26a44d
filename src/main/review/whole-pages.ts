import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { IndexReads, WholePage } from '@galley/library'
import { keepPicture, keptWholePage, thumbnailFolder, wholePageName } from '@galley/library'
import type { VersionRef } from '@galley/library/records'

import { viewportWidths } from '../../ipc/page-pictures.ts'
import type { Capture, CapturedPage } from './compare-pictures.ts'
import type { VersionPage, VersionPages } from './version-pages.ts'

/** Bytes on the disk: the pictures that were made first are deleted, and made again when they are needed. */
const bytesAtMost = 256 * 1024 ** 2

interface Ports {
  /** The library folder. */
  readonly folder: string
  readonly index: IndexReads
  readonly pages: VersionPages
  /** Loads a page for captures; null if that fails. */
  readonly capture: (
    page: VersionPage,
    use: (capture: Capture) => Promise<CapturedPage>,
  ) => Promise<CapturedPage | null>
  /** Makes pictures of a page small enough for a report. */
  readonly shrink: (page: CapturedPage) => Promise<WholePage>
}

/** Pictures of whole pages, which are kept for reports. */
export function createWholePages({ folder, index, pages, capture, shrink }: Ports) {
  /** Keeps what was captured of a version, or what `captured` makes of it, unless its pictures are kept already. */
  async function keep(ref: VersionRef, captured: () => Promise<CapturedPage | null>): Promise<void> {
    const html = index.versions.parts(ref.site, ref.materialId, ref.versionId)?.html
    if (html === undefined) return
    const of = { html, fontsCss: index.snapshots.newest(ref.site)?.css ?? null }
    if ((await keptWholePage(folder, of)) !== null) return
    const page = await captured()
    if (page !== null) await keepPicture(folder, wholePageName(of), JSON.stringify(await shrink(page)))
  }

  return {
    keep: (ref: VersionRef, page: CapturedPage): Promise<void> => keep(ref, () => Promise.resolve(page)),
    /** Makes the pictures of a version that are missing. A report says if they still are. */
    make: (ref: VersionRef): Promise<void> =>
      keep(ref, async () => {
        const page = await pages.make(ref)
        return page.ok ? capture(page.value, (loaded) => loaded.at(viewportWidths.desktop, [])) : null
      }).catch(() => undefined),
    /** Deletes those that were made first if there are too many after this. */
    async trim(swept: Promise<void>): Promise<void> {
      await swept
      const root = thumbnailFolder(folder)
      const names = (await readdir(root).catch(() => [])).filter((name) => name.endsWith('.json'))
      const files = await Promise.all(names.map(async (name) => ({ name, file: await stat(join(root, name)) })))
      let bytes = 0
      for (const { name, file } of files.toSorted((one, other) => other.file.mtimeMs - one.file.mtimeMs)) {
        bytes += file.size
        if (bytes > bytesAtMost) await rm(join(root, name), { force: true })
      }
    },
  }
}

export type WholePages = ReturnType<typeof createWholePages>
