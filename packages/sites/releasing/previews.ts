import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChangeFeed, IndexReads, Vault } from '@galley/library'
import type { ExportFailure, Site, ThemeSettings } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { Result, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { answerFrom } from '../exporting/in-background.ts'
import { librarySource } from '../exporting/library-source.ts'
import { ofPublishing } from './failure.ts'
import type { ReleaseJobs } from './prepare.ts'
import { startPreview } from './preview.ts'
import { releaseReader } from './release-files.ts'
import { createTextStore } from './text-store.ts'

export interface PreviewsPorts {
  readonly index: IndexReads
  readonly vault: Vault
  readonly changes: Pick<ChangeFeed, 'watch'>
  readonly background: Background<ReleaseJobs>
  readonly now: () => Date
}

/** A running preview. `problem`: why it shows the previous site. */
export interface Preview {
  readonly url: string
  readonly problem: ExportFailure | null
}

export interface PreviewOptions {
  readonly site: Site
  /** The folders of a site's theme, as an export takes them. */
  readonly themesOf: (theme: string) => readonly string[]
  readonly themeSettings?: ThemeSettings
  readonly port?: number
  readonly onProblem?: (failure: ExportFailure | null) => void
}

interface Running {
  readonly url: string
  problem: ExportFailure | null
  readonly close: () => Promise<void>
}

/**
 * The previews of a library's sites, at most one per site. Bundles are made in a thread and stored in a temporary
 * folder.
 */
export function createPreviews(ports: PreviewsPorts) {
  const running = new Map<string, Running>()
  const starting = new Map<string, Promise<Result<Preview, ExportFailure>>>()
  const listeners = new Set<(site: SiteId) => void>()

  async function open(options: PreviewOptions): Promise<Result<Preview, ExportFailure>> {
    const { site, themesOf, port = 0, onProblem } = options
    const folder = await mkdtemp(join(tmpdir(), 'galley-preview-'))
    const texts = createTextStore(folder)
    const forget = () => rm(folder, { recursive: true, force: true })
    const closing = new AbortController()
    const preview = await startPreview(
      {
        changes: ports.changes,
        make: () =>
          madeNow(ports, options, folder, closing.signal).catch((error: unknown) => {
            // The preview is closing, so no one is looking.
            if (closing.signal.aborted) return fail({ code: 'busy', state: 'publishing' } as const)
            throw error
          }),
        themes: () => themesOf(ports.index.publishing.of(site.id).theme),
        read: (file) => releaseReader({ ...ports, texts })(file, 0, file.bytes),
        onProblem(failure) {
          const shown = running.get(site.id)
          if (shown === undefined) return
          shown.problem = failure
          onProblem?.(failure)
        },
        onChange: () => {
          for (const listener of listeners) listener(site.id)
        },
      },
      port,
    ).catch(async (error: unknown) => {
      await forget()
      throw error
    })
    if (!preview.ok) {
      await forget()
      return preview
    }
    const { url } = preview.value
    running.set(site.id, {
      url,
      problem: null,
      async close() {
        running.delete(site.id)
        closing.abort()
        await preview.value.close()
        await forget()
      },
    })
    return ok({ url, problem: null })
  }

  const of = (site: SiteId): Preview | null => {
    const found = running.get(site)
    return found ? { url: found.url, problem: found.problem } : null
  }
  const stop = async (site: SiteId): Promise<void> => {
    await starting.get(site)
    await running.get(site)?.close()
  }

  return {
    of,
    /** Starts the preview of a site, or returns the running one. Rejects with ListenError. */
    start(options: PreviewOptions): Promise<Result<Preview, ExportFailure>> {
      const { id } = options.site
      const shown = of(id)
      if (shown) return Promise.resolve(ok(shown))
      const opened = starting.get(id) ?? open(options).finally(() => starting.delete(id))
      starting.set(id, opened)
      return opened
    },
    stop,
    /** Calls the listener with the site whose preview shows something new, until the returned function is called. */
    onChange(listener: (site: SiteId) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: async (): Promise<void> => {
      await Promise.all([...new Set([...starting.keys(), ...running.keys()])].map(stop))
    },
  }
}

export type Previews = ReturnType<typeof createPreviews>

/** The site as it would be published now. Texts are stored in the folder. */
async function madeNow(
  { index, vault, background, now }: PreviewsPorts,
  { site, themesOf, themeSettings }: PreviewOptions,
  textsFolder: string,
  signal: AbortSignal,
) {
  const source = await librarySource(index, vault, site, { materials: [], pins: new Map(), at: now() })
  if (!source.ok) throw new Error('A version that goes out is not there')
  const { site: about, pages, fonts } = source.value
  const { publishing } = about
  const prepared = await background.run(
    'prepareRelease',
    {
      source: { site: about, pages, fonts },
      options: {
        baseUrl: publishing.baseUrl,
        check: 'off',
        themes: themesOf(publishing.theme),
        ...(themeSettings && { themeSettings }),
      },
      textsFolder,
    },
    { signal, progress: () => undefined, answer: answerFrom({ index, vault }, source.value) },
  )
  return prepared.ok ? ok(prepared.value.files) : fail(ofPublishing(prepared.failure))
}
