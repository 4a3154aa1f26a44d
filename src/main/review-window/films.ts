import { randomBytes } from 'node:crypto'
import type { IndexReads } from '@galley/library'
import { mediaType } from '@galley/wire'
import { z } from 'zod'

import type { HandlersOf } from '../../ipc/call.ts'
import type { Film, filmCalls } from '../../ipc/media.ts'
import { filmFrameUrl, readFilmFrameUrl } from '../../ipc/media.ts'
import { reviewScheme } from '../review/review-scheme.ts'
import type { VersionPage } from '../review/version-pages.ts'
import type { Take } from './page-copies.ts'
import { screenshotOf } from './page-copies.ts'
import type { Quarantine } from './quarantine.ts'

/** A frame is shown no larger than the window in which it is taken. Where no script may run, Chromium adds controls. */
const page = (address: string): string =>
  `<!doctype html><style>html, body { margin: 0; background: #000 } video { display: block; max-width: 1280px; max-height: 800px } video::-webkit-media-controls { display: none !important }</style><video src="${address}" preload="auto" muted></video>`

/** What runs beside the film, a string since main has no types of a document. */
const script = `(async () => {
  const film = document.querySelector('video')
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))
  if (film.readyState < 2 && film.error === null)
    await new Promise((done) => { for (const type of ['loadeddata', 'error']) film.addEventListener(type, done, { once: true }) })
  if (film.error !== null || film.videoWidth === 0) return null
  await frames()
  const { width, height } = film.getBoundingClientRect()
  return { width, height, film: [film.videoWidth, film.videoHeight], seconds: Number.isFinite(film.duration) ? film.duration : null }
})()`

const read = z.object({
  width: z.number().min(1).max(1280),
  height: z.number().min(1).max(800),
  film: z.tuple([z.int().min(1), z.int().min(1)]),
  seconds: z.number().min(0).nullable(),
})

/** An isolated world: its script runs although the page may run none. */
const isolatedWorld = 999
const keptAtMost = 20

/** Takes the first frame of a film that is loaded alone. */
const takeFrame: Take<{ readonly png: Uint8Array; readonly found: z.output<typeof read> }> = async (contents) => {
  const found = read
    .nullable()
    .parse(await contents.executeJavaScriptInIsolatedWorld(isolatedWorld, [{ code: script }]))
  if (found === null) return null
  const clip = { x: 0, y: 0, width: Math.round(found.width), height: Math.round(found.height), scale: 1 }
  return { png: await screenshotOf(contents, clip), found }
}

interface Ports {
  readonly index: Pick<IndexReads, 'blobs'>
  readonly quarantine: Pick<Quarantine, 'take'>
}

/** First frames of stored films, decoded where stored pages are: the window never gets a film. */
export function createFilms({ index, quarantine }: Ports) {
  const kept = new Map<string, { readonly png: Uint8Array; readonly film: Film }>()

  return {
    handlers: {
      async filmFrame({ sha256, name }) {
        const known = kept.get(sha256)
        if (known !== undefined) return known.film
        const type = mediaType(name)
        if (index.blobs.find(sha256) === null) return null
        const origin = `${reviewScheme}://${randomBytes(16).toString('hex')}`
        const files: VersionPage['files'] = new Map([
          ['page', { kind: 'text', text: page(`${origin}/film`), type: 'text/html; charset=utf-8' }],
          ['film', { kind: 'blob', name, sha256, type }],
        ])
        const shown = { unshown: [], hasScripts: false }
        const taken = await quarantine
          .take({ origin, url: `${origin}/page`, files, shown }, takeFrame)
          .catch(() => null)
        if (taken === null) return null
        const [width, height] = taken.found.film
        const film = { url: filmFrameUrl(sha256), width, height, seconds: taken.found.seconds }
        kept.set(sha256, { png: taken.png, film })
        for (const oldest of kept.keys()) if (kept.size > keptAtMost) kept.delete(oldest)
        return film
      },
    } satisfies HandlersOf<typeof filmCalls>,
    /** Answers requests for frames; null for any other URL. */
    answer(url: string, method: string): Promise<Response> | null {
      const sha256 = readFilmFrameUrl(url)
      if (sha256 === null || method !== 'GET') return null
      const png = kept.get(sha256)?.png
      return Promise.resolve(
        png === undefined
          ? new Response(null, { status: 404 })
          : new Response(new Uint8Array(png), {
              headers: { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
            }),
      )
    },
  }
}
