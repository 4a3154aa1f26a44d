import type { ExportFailure, LinkReport, PageNote } from '@galley/library/records'
import { bundlePath, formerFiles } from '@galley/library/records'
import type { JobContext } from '@galley/platform'
import type { MaterialId, Result, VersionId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { contentOf } from '../exporting/content.ts'
import type { ExportOptions } from '../exporting/export-bundle.ts'
import { withBundle } from '../exporting/export-bundle.ts'
import { sourceIn } from '../exporting/export-here.ts'
import type { BundleSource } from '../exporting/source.ts'
import { watchFor } from '../exporting/watch.ts'
import type { ReleaseFile } from './release-record.ts'
import { createTextStore } from './text-store.ts'

export interface PreparedPage {
  readonly path: string
  readonly title: string
  readonly materialId: MaterialId
  readonly versionId: VersionId
  /** The files at its earlier addresses, newest first. */
  readonly formerPaths: readonly string[]
  readonly notes: readonly PageNote[]
}

/** A bundle. The release store has the files that the vault does not. */
export interface PreparedRelease {
  readonly files: readonly ReleaseFile[]
  readonly pages: readonly PreparedPage[]
  readonly links: LinkReport
}

/** The job of a background thread that releases need. It asks the same questions as an export. */
export interface ReleaseJobs {
  prepareRelease: {
    input: {
      readonly source: Pick<BundleSource, 'site' | 'pages' | 'fonts' | 'cacheFolder'>
      readonly options: ExportOptions
      readonly textsFolder: string
    }
    output: Result<PreparedRelease, ExportFailure>
  }
}

/**
 * Makes the bundle of a release in a thread and stores the files that the vault does not have: texts and theme files.
 */
export async function prepareRelease(
  { source, options, textsFolder }: ReleaseJobs['prepareRelease']['input'],
  { ask, signal, progress }: JobContext,
): Promise<ReleaseJobs['prepareRelease']['output']> {
  const watch = watchFor(signal, progress)
  return withBundle(sourceIn(source, ask), options, watch, async ({ bundle, layout }) => {
    const texts = createTextStore(textsFolder)
    const files: ReleaseFile[] = []
    const ofLibrary = new Set<string>(layout.blobs.map(({ sha256 }) => sha256))
    for (const [at, file] of bundle.files.entries()) {
      // The manifest names materials and versions, which stay private.
      if (file.path === bundlePath.manifest) continue
      watch('rewriting', at, bundle.files.length, 'files')
      const { path, bytes, sha256 } = file
      const stored = ofLibrary.has(sha256)
      files.push({ path, bytes, sha256, stored })
      if (stored || (await texts.has(sha256))) continue
      const content = await contentOf(file)
      if (!content.ok) return content
      await texts.put(sha256, content.value.chunks)
      const failure = content.value.failure()
      if (failure !== null) return fail(failure)
    }
    const pages = layout.pages.map(({ path, title, materialId, versionId, redirectsFrom, notes }) => ({
      path,
      title,
      materialId,
      versionId,
      notes,
      formerPaths: formerFiles(redirectsFrom),
    }))
    return ok({ files, pages, links: bundle.links })
  })
}
