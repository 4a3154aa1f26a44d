import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

import type { Target } from '../../../packages/library/records/target.ts'
import { readTargetLocation } from '../../../packages/library/records/target.ts'
import type { Permits } from '../../../packages/sites/releasing/publish.ts'
import type { TaskProgress } from '../../../packages/wire/task-progress.ts'
import type { GalleyEdges } from '../../../src/main/galley.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

const themes = [join(import.meta.dirname, '../../../resources/themes/default')]

/** A library with saved pages that is published to targets. */
export async function createPublishingFixture(edges: Partial<GalleyEdges> = {}) {
  const fixture = await createTestGalley({ edges })
  const { galley, service } = fixture
  /** The reported progress of tasks. */
  const progress: TaskProgress[] = []
  const task = { signal: new AbortController().signal, progress: (each: TaskProgress) => void progress.push(each) }

  async function save(materialId: string, html: string, files: Record<string, string | Buffer> = {}): Promise<string> {
    await fixture.know(materialId)
    const pictures = Object.keys(files).map((name) => `<img src="dummy-${name}" alt="">`)
    const { body, headers } = aSave(service, { materialId, html: html + pictures.join(''), files })
    const answer = await fixture.post(body, headers)
    if (answer.json.rc !== 1) throw new Error(`Not saved: ${answer.text}`)
    return galley.index.materials.find('acme', materialId)?.currentVersionId ?? ''
  }

  interface TargetOptions {
    readonly name?: string
    readonly endpoint?: string
    readonly publicUrl?: string
    readonly key?: string
    readonly compress?: boolean
    readonly schedule?: string | null
  }
  async function addTarget(place: string, options: TargetOptions = {}): Promise<Target> {
    const read = readTargetLocation(place, { endpoint: options.endpoint ?? null, region: null })
    if (!read.ok) throw new Error(read.failure)
    const { name = 'live', publicUrl = null, key = null, compress = false, schedule = null } = options
    const site = galley.index.sites.list()[0]?.id
    if (site === undefined) throw new Error('The test site is missing')
    const target = { site, name, place: read.value, publicUrl, compress, schedule }
    const saved = await galley.releasing.targets.save(target, key)
    if (!saved.ok) throw new Error(saved.failure.code)
    return target
  }

  function publish(target: Target, isDryRun = false, check: 'warn' | 'block' = 'warn', permits: Permits = {}) {
    const site = galley.index.sites.find('acme')
    if (site === null) throw new Error('The test site is missing')
    return galley.releasing.publish(
      { site, target, themesOf: () => themes, by: 'person', check, isDryRun, permits },
      task,
    )
  }
  const rollBack = (target: Target, release: string, permits: Permits = {}) =>
    galley.releasing.rollBack({ target, release, permits }, task)

  return { ...fixture, save, addTarget, publish, rollBack, task, progress, themes }
}

export type PublishingFixture = Awaited<ReturnType<typeof createPublishingFixture>>

/** Every file below a folder, by path. */
export async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(files.toSorted().map(async (file) => [relative(folder, file), await readFile(file)] as const)),
  )
}
