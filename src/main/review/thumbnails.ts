import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Sha256 } from '../../contract/ids.ts'
import type { VersionRef } from '../../contract/thumbnail-url.ts'
import type { Index } from '../db/library-index.ts'
import type { VersionPage, VersionPages } from './version-pages.ts'

/** Pictures that are looked up before others have the thread again. */
const lookedUpAtOnce = 100
/** Requests that wait; the oldest is given up for a newer one, since a list that was scrolled on shows other rows. */
const waitingAtMost = 60

export interface ThumbnailPorts {
  /** Of the library; pictures lie in `thumbnails/` below it, named by the hash of their page. */
  readonly folder: string
  readonly index: Index
  readonly pages: VersionPages
  /** Draws a page as PNG; null when that fails. */
  readonly picture: (page: VersionPage) => Promise<Uint8Array | null>
  /** Resolves when no save is under way. */
  readonly whenIdle: () => Promise<void>
}

interface Waiting {
  readonly sha256: Sha256
  readonly ref: VersionRef
  readonly answer: (picture: Uint8Array | null) => void
}

/** Small pictures of stored pages, drawn when first asked for and kept; all of them can be deleted at any time. */
export function createThumbnails({ folder, index, pages, picture, whenIdle }: ThumbnailPorts) {
  const root = join(folder, 'thumbnails')
  const waiting: Waiting[] = []
  /** Of every page that waits or is being drawn. */
  const asked = new Map<Sha256, Promise<Uint8Array | null>>()
  let isDrawing = false
  let isStopped = false

  const fileOf = (sha256: Sha256): string => join(root, `${sha256}.png`)

  async function draw({ sha256, ref }: Waiting): Promise<Uint8Array | null> {
    const page = await pages.make(ref)
    const png = page.ok && !isStopped ? await picture(page.value) : null
    if (png === null) return null
    await mkdir(root, { recursive: true, mode: 0o700 })
    const unfinished = `${fileOf(sha256)}.new`
    await writeFile(unfinished, png, { mode: 0o600 })
    await rename(unfinished, fileOf(sha256))
    return png
  }

  /** One after the other, the last request first: it is what somebody looks at now. */
  async function drawAll(): Promise<void> {
    if (isDrawing) return
    isDrawing = true
    for (;;) {
      await whenIdle()
      const next = waiting.pop()
      if (!next) break
      // Without its picture a row is still a row; the next request tries again.
      next.answer(await draw(next).catch(() => null))
    }
    isDrawing = false
  }

  function request(sha256: Sha256, ref: VersionRef): Promise<Uint8Array | null> {
    const known = asked.get(sha256)
    if (known) return known
    const picture = new Promise<Uint8Array | null>((answer) => waiting.push({ sha256, ref, answer })).finally(() =>
      asked.delete(sha256),
    )
    asked.set(sha256, picture)
    if (waiting.length > waitingAtMost) waiting.shift()?.answer(null)
    void drawAll()
    return picture
  }

  return {
    /** The picture of a version's page as PNG; null when the version is unknown or cannot be drawn now. */
    async read(ref: VersionRef): Promise<Uint8Array | null> {
      const parts = index.versions.parts(ref.site, ref.materialId, ref.versionId)
      if (!parts) return null
      const kept = await readFile(fileOf(parts.html)).catch(() => null)
      return kept ?? request(parts.html, ref)
    },

    /** Draws no more: a window for the next picture would keep an app from ending that has closed all others. */
    stop(): void {
      isStopped = true
      for (const { answer } of waiting.splice(0)) answer(null)
    },

    /** Deletes pictures of pages that the library does not have any more, once nothing else is going on. */
    async sweep(): Promise<void> {
      await whenIdle()
      const names = await readdir(root).catch(() => [])
      for (const [at, name] of names.entries()) {
        if (!index.versions.hasPage(name.replace(/\.png$/, ''))) await rm(join(root, name), { force: true })
        if (at % lookedUpAtOnce === 0) await nextTurn()
      }
    },
  }
}

export type Thumbnails = ReturnType<typeof createThumbnails>
