import { randomUUID } from 'node:crypto'

import type { ExportFailure } from '../../../../contract/domain/bundle/failure.ts'
import { describeExportFailure } from '../../../../contract/domain/bundle/failure.ts'
import type { LinkReport } from '../../../../contract/domain/bundle/links.ts'
import type { Handlers } from '../../../../contract/ipc/calls.ts'
import type {
  ExportCalls,
  ExportOrder,
  ExportWish,
  LeftOutFindings,
  ReferenceFindings,
} from '../../../../contract/ipc/exports.ts'
import type { Answer, CallProblem } from '../../../../contract/ipc/problem.ts'
import type { Result } from '../../../../contract/result.ts'
import { fail, ok } from '../../../../contract/result.ts'
import type { ExportJobs, PlannedExport } from '../../../use-cases/exporting/jobs.ts'
import type { Background } from '../../../platform/threads/background.ts'
import { isThere } from '../../../platform/disk/is-there.ts'
import type { ExportTarget } from '../../../use-cases/exporting/export-bundle.ts'
import { exportInBackground } from '../../../use-cases/exporting/in-background.ts'
import type { LibrarySource } from '../../../use-cases/exporting/library-source.ts'
import { librarySource } from '../../../use-cases/exporting/library-source.ts'
import type { DoneExport } from '../../../library/db/exports.ts'
import { isStorageFault } from '../../../platform/disk/storage-reason.ts'
import type { TaskContext } from '../../../platform/tasks/tasks.ts'
import type { ChosenPaths } from '../chosen-paths.ts'
import type { Desktop } from '../desktop.ts'
import { pathNotChosen } from './not-chosen.ts'
import { unknownSite } from './unknown.ts'
import type { Index } from '../../../library/db/library-index.ts'
import type { Vault } from '../../../library/vault/vault.ts'
import type { Tasks } from '../../../platform/tasks/tasks.ts'

/** More of these are a wall of text that nobody reads; the counts have all. */
const pathsAtMost = 5_000
const findingsAtMost = 1_000

export interface ExportPorts {
  readonly background: Background<ExportJobs>
  readonly index: Index
  readonly vault: Vault
  readonly tasks: Tasks
  readonly now: () => Date
}

/** Calls about static exports. */
export function exportHandlers(
  ports: ExportPorts,
  desktop: Desktop,
  chosen: ChosenPaths,
  themesFolder: string,
  changed: () => void,
): Pick<Handlers, keyof ExportCalls> {
  const { index, vault, tasks } = ports

  /** The order with the place that its target stands for. */
  function wishOf({ target, ...order }: ExportOrder): Answer<ExportWish> {
    if ('again' in target) {
      const earlier = index.exports.find(target.again)
      if (earlier?.site !== order.site) return unknownExport(target.again)
      return index.exports.isTargetOurs(target.again) ? ok({ ...order, target: earlier.target }) : pathNotChosen
    }
    const path = chosen.find({ what: `export-${target.kind}`, site: order.site }, target.chosen)
    return path === null ? pathNotChosen : ok({ ...order, target: { kind: target.kind, path } })
  }

  /** The bundle is written: where the library cannot be written just now, its history does without. */
  function record(done: DoneExport): void {
    try {
      index.exports.add(done)
    } catch (error) {
      if (!isStorageFault(error)) throw error
    }
  }

  function sourceOf(wish: ExportWish): Answer<LibrarySource> {
    const site = index.sites.find(wish.site)
    if (!site) return unknownSite(wish.site)
    const pins = new Map(wish.pins.map(({ materialId, versionId }) => [materialId, versionId]))
    const source = librarySource(index, vault, site, { materials: wish.materials, pins })
    if (source.ok) return source
    const { kind, name } = source.failure
    return fail({
      code: kind,
      message: `${name} is not in the library any more. Nothing was written.`,
      facts: { name },
    })
  }

  const run = async (
    wish: ExportWish,
    source: LibrarySource,
    isDryRun: boolean,
    context: TaskContext,
  ): Promise<Answer<PlannedExport>> => {
    const { kind, path } = wish.target
    const target: ExportTarget = kind === 'folder' ? { kind, directory: path } : { kind, file: path }
    // A plan tells which references would block the export; failing over them, it would tell nothing.
    const check = isDryRun && wish.check === 'block' ? 'warn' : wish.check
    const options = { baseUrl: wish.baseUrl, check, themes: [`${themesFolder}/default`], verify: wish.verify === true }
    const done = await exportInBackground(ports, source, { target, options, isDryRun }, context)
    return problemsOf(done)
  }

  return {
    readPublishing: ({ site }) => (index.sites.find(site) ? ok(index.publishing.of(site)) : unknownSite(site)),
    changePublishing({ site, changes }) {
      if (!index.sites.find(site)) return unknownSite(site)
      const { outgoing } = changes
      if (outgoing !== undefined) index.publishing.change(site, { outgoing })
      changed()
      return ok(index.publishing.of(site))
    },
    async chooseExportTarget({ site, kind }) {
      const path =
        kind === 'folder'
          ? await desktop.chooseFolder('exportFolder')
          : await desktop.chooseNewFile('exportZip', { name: `${site}.zip`, extensions: ['zip'] })
      return path === null ? null : chosen.keep({ what: `export-${kind}`, site }, path)
    },
    startExportPlan(order) {
      const read = wishOf(order)
      if (!read.ok) return read
      const wish = read.value
      const source = sourceOf(wish)
      if (!source.ok) return source
      const facts = { site: wish.site, target: wish.target.path }
      const task = tasks.start('exportPlan', facts, async (context) => {
        const planned = await run(wish, source.value, true, context)
        if (!planned.ok) return planned
        const { counts, added, changed, removed, pages, sha256, report } = planned.value
        const shown = (paths: readonly string[]) => paths.slice(0, pathsAtMost)
        return ok({
          counts,
          added: shown(added),
          changed: shown(changed),
          removed: shown(removed),
          pages,
          sha256,
          leftOut: leftOutOf(source.value),
          references: findings(report.links),
        })
      })
      return ok({ task })
    },
    startExport(order) {
      const read = wishOf(order)
      if (!read.ok) return read
      const wish = read.value
      const source = sourceOf(wish)
      if (!source.ok) return source
      const facts = { site: wish.site, target: wish.target.path }
      const task = tasks.start('export', facts, async (context) => {
        const done = await run(wish, source.value, false, context)
        if (!done.ok) return done
        const { counts, pages, sha256, report } = done.value
        const exportId = randomUUID()
        const at = ports.now().toISOString()
        const references = findings(report.links)
        const leftOut = leftOutOf(source.value)
        record({
          id: exportId,
          site: wish.site,
          at,
          wish,
          counts,
          references,
          leftOut,
          sha256,
          pages,
        })
        changed()
        const verified = report.verified && {
          ...report.verified,
          wrong: report.verified.wrong.slice(0, findingsAtMost),
        }
        return ok({ exportId, counts, leftOut, references, sha256, target: wish.target, ...(verified && { verified }) })
      })
      return ok({ task })
    },
    listExports: ({ site, offset, limit }) => index.exports.query(site, offset, limit),
    readExport({ exportId }) {
      const contents = index.exports.contents(exportId)
      return contents === null ? unknownExport(exportId) : ok(contents)
    },
    async openExportFolder({ exportId }) {
      const row = index.exports.find(exportId)
      if (!row) return unknownExport(exportId)
      if (!index.exports.isTargetOurs(exportId)) return pathNotChosen
      const { path } = row.target
      // The file browser would say nothing at all of a place that is gone.
      if (!(await isThere(path))) {
        return fail({
          code: 'target_gone',
          message: 'The target of this export is not there any more.',
          facts: { path },
        })
      }
      desktop.showInFolder(path)
      return ok(null)
    },
  }
}

const unknownExport = (exportId: string) =>
  fail({ code: 'unknown_export', message: 'This export is not in the history any more.', facts: { exportId } } as const)

const leftOutOf = ({ leftOut }: LibrarySource): LeftOutFindings => ({
  count: leftOut.length,
  list: leftOut.slice(0, findingsAtMost),
})

const findings = ({ checked, broken }: LinkReport): ReferenceFindings => ({
  checked,
  broken: broken.length,
  list: broken.slice(0, findingsAtMost),
})

function problemsOf<Value>(result: Result<Value, ExportFailure>): Answer<Value> {
  if (result.ok) return result
  const { kind, ...facts } = result.failure
  const plain = Object.entries(facts).filter(([, value]) => typeof value !== 'object' || value === null)
  const problem: CallProblem = {
    code: kind,
    message: describeExportFailure(result.failure),
    facts: {
      ...Object.fromEntries(plain as [string, string | null][]),
      ...(kind === 'busy' && { state: 'exporting' }),
      ...('links' in facts && { links: facts.links.length, first: facts.links[0]?.ref ?? '' }),
    },
  }
  return fail(problem)
}
