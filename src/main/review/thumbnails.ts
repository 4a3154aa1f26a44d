import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IndexReads } from '@galley/library'
import { keepPicture, thumbnailFolder, thumbnailName } from '@galley/library'
import type { VersionRef } from '@galley/library/records'
import type { Sha256, SiteId } from '@galley/wire'

import type { VersionPage, VersionPages } from './version-pages.ts'

/** Pictures to look up before yielding to the event loop. */
const lookedUpAtOnce = 100
/**
 * The maximum of waiting requests. The oldest is dropped for a new one, because a list that was scrolled shows other rows.
 */
const waitingAtMost = 60

export interface ThumbnailPorts {
  /** The library folder. Pictures are in `thumbnails/` in it, named by the hashes of the page and its fonts. */
  readonly folder: string
  readonly index: IndexReads
  readonly pages: VersionPages
  /** Renders a page as PNG; null if that fails. */
  readonly picture: (page: VersionPage) => Promise<Uint8Array | null>
  /** Resolves when no save is running. */
  readonly whenIdle: () => Promise<void>
}

interface Waiting {
  readonly name: string
  readonly ref: VersionRef
  readonly answer: (picture: Uint8Array | null) => void
}

/** Thumbnails of stored pages, rendered on demand and cached. All of them can be deleted at any time. */
export function createThumbnails({ folder, index, pages, picture, whenIdle }: ThumbnailPorts) {
  const root = thumbnailFolder(folder)
  const waiting: Waiting[] = []
  /** Pages that wait or are being rendered, by name. */
  const asked = new Map<string, Promise<Uint8Array | null>>()
  let isDrawing = false
  let isStopped = false

  const fileOf = (name: string): string => join(root, name)
  const fontsOf = (site: SiteId): Sha256 | null => index.snapshots.newest(site)?.css ?? null

  async function draw({ name, ref }: Waiting): Promise<Uint8Array | null> {
    const page = await pages.make(ref)
    const png = page.ok && !isStopped ? await picture(page.value) : null
    if (png === null) return null
    await keepPicture(folder, name, png)
    return png
  }

  /** One at a time, the latest request first: a person is looking at it now. */
  async function drawAll(): Promise<void> {
    if (isDrawing) return
    isDrawing = true
    for (;;) {
      await whenIdle()
      const next = waiting.pop()
      if (!next) break
      // A row works without its picture. The next request tries again.
      next.answer(await draw(next).catch(() => null))
    }
    isDrawing = false
  }

  function request(name: string, ref: VersionRef): Promise<Uint8Array | null> {
    const known = asked.get(name)
    if (known) return known
    const picture = new Promise<Uint8Array | null>((answer) => waiting.push({ name, ref, answer })).finally(() =>
      asked.delete(name),
    )
    asked.set(name, picture)
    if (waiting.length > waitingAtMost) waiting.shift()?.answer(null)
    void drawAll()
    return picture
  }

  return {
    /** The thumbnail of a version as PNG; null if the version is unknown or cannot be rendered now. */
    async read(ref: VersionRef): Promise<Uint8Array | null> {
      const parts = index.versions.parts(ref.site, ref.materialId, ref.versionId)
      if (!parts) return null
      const name = thumbnailName({ html: parts.html, fontsCss: fontsOf(ref.site) })
      const kept = await readFile(fileOf(name)).catch(() => null)
      return kept ?? request(name, ref)
    },

    /** Stops rendering: a window for the next picture would prevent the app from ending. */
    stop(): void {
      isStopped = true
      for (const { answer } of waiting.splice(0)) answer(null)
    },

    /** Deletes pictures of outdated pages and fonts when idle. */
    async sweep(): Promise<void> {
      await whenIdle()
      const names = await readdir(root).catch(() => [])
      const fonts = new Set(index.sites.list().map(({ id }) => fontsOf(id)?.slice(0, 16) ?? ''))
      for (const [at, name] of names.entries()) {
        const [html = '', shownWith = ''] = name.replace(/\.\w+$/, '').split('-')
        if (!fonts.has(shownWith) || !index.versions.hasPage(html)) await rm(join(root, name), { force: true })
        if (at % lookedUpAtOnce === 0) await nextTurn()
      }
    },
  }
}

export type Thumbnails = ReturnType<typeof createThumbnails>
