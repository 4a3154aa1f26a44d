import { randomUUID } from 'node:crypto'
import type { DoneExport, Index, IndexWith, TaskContext, Tasks, Vault } from '@galley/library'
import { exportsMadeHere } from '@galley/library'
import type { Answer, ExportPlan, ExportRequest, TaskResults } from '@galley/library/records'
import { isStorageFault } from '@galley/platform'
import type { Background } from '@galley/platform'
import type { ExportJobs, ExportTarget, ExportedBundle, LibrarySource } from '@galley/sites'
import { exportInBackground, librarySource, recordPublication, startPublication, themeSources } from '@galley/sites'
import { ok } from '@galley/wire'

import type { Handlers } from '../../../ipc/calls.ts'
import type { ExportOrder } from '../../../ipc/exports.ts'
import type { ChosenPaths } from '../chosen-paths.ts'
import { findingsAtMost, leftOutOf, pathsAtMost, referencesOf } from './bundle-findings.ts'
import { pathNotChosen } from './not-chosen.ts'
import { unknownExport, unknownSite } from './unknown.ts'

export interface ExportPorts {
  readonly background: Background<ExportJobs>
  readonly index: IndexWith<'commit' | 'exports' | 'pages' | 'settings'>
  readonly vault: Vault
  readonly tasks: Tasks
  readonly now: () => Date
}

/** What export tasks need beside the library. */
export interface ExportTaskEdges {
  readonly chosen: ChosenPaths
  /** The folder of Galley's own export themes. */
  readonly themesFolder: string
  readonly changed: () => void
}

/** An order whose target and content are known. */
interface Prepared {
  readonly request: ExportRequest
  readonly source: LibrarySource
}

/** Calls that plan and run exports, each as a task. */
export function exportTaskHandlers(
  ports: ExportPorts,
  { chosen, themesFolder, changed }: ExportTaskEdges,
): Pick<Handlers, 'startExportPlan' | 'startExport'> {
  async function start<Kind extends 'exportPlan' | 'export'>(
    kind: Kind,
    order: ExportOrder,
    work: (prepared: Prepared, context: TaskContext) => Promise<Answer<TaskResults[Kind]>>,
  ) {
    const request = requestOf(ports.index, chosen, order)
    if (!request.ok) return request
    const source = await sourceOf(ports, request.value, kind === 'exportPlan')
    if (!source.ok) return source
    const prepared = { request: request.value, source: source.value }
    const facts = { site: prepared.request.site, target: prepared.request.target.path }
    return ok({ task: ports.tasks.start(kind, facts, (context) => work(prepared, context)) })
  }

  return {
    startExportPlan: (order) =>
      start('exportPlan', order, async (prepared, context) => {
        const planned = await run(ports, themesFolder, prepared, true, context)
        return planned.ok ? ok(shownPlan(planned.value, prepared.source)) : planned
      }),
    startExport: (order) =>
      start('export', order, async ({ request, source }, context) => {
        const done = await run(ports, themesFolder, { request, source }, false, context)
        if (!done.ok) return done
        const { pages, report } = done.value
        const { links, verified, sha256, ...counts } = report
        const exportId = randomUUID()
        const at = ports.now().toISOString()
        const references = referencesOf(links)
        const leftOut = leftOutOf(source.leftOut)
        const { site } = request
        await recordPublication(ports.index, source.site.id, source)
        await record(ports.index, { id: exportId, site, at, request, counts, references, leftOut, sha256, pages })
        changed()
        return ok({
          exportId,
          counts,
          leftOut,
          references,
          sha256,
          target: request.target,
          ...(verified && { verified: { ...verified, wrong: verified.wrong.slice(0, findingsAtMost) } }),
        })
      }),
  }
}

/** The request of an order: the target of the order, resolved to a path. */
function requestOf(
  { exports, settings }: IndexWith<'settings'>,
  chosen: ChosenPaths,
  { target, ...order }: ExportOrder,
): Answer<ExportRequest> {
  if ('again' in target) {
    const earlier = exports.find(target.again)
    if (earlier?.site !== order.site) return unknownExport(target.again)
    return exportsMadeHere(settings).has(target.again) ? ok({ ...order, target: earlier.target }) : pathNotChosen
  }
  const path = chosen.find({ what: `export-${target.kind}`, site: order.site }, target.chosen)
  return path === null ? pathNotChosen : ok({ ...order, target: { kind: target.kind, path } })
}

async function sourceOf(
  { index, vault, now }: ExportPorts,
  request: ExportRequest,
  isDryRun: boolean,
): Promise<Answer<LibrarySource>> {
  const site = index.sites.find(request.site)
  if (!site) return unknownSite(request.site)
  const pins = new Map(request.pins.map(({ materialId, versionId }) => [materialId, versionId]))
  const choice = { materials: request.materials, pins, at: now() }
  return (isDryRun ? librarySource : startPublication)(index, vault, site, choice)
}

async function run(
  ports: ExportPorts,
  themesFolder: string,
  { request, source }: Prepared,
  isDryRun: boolean,
  context: TaskContext,
): Promise<Answer<ExportedBundle>> {
  const { publishing } = source.site
  // A plan lists the references that would block the export, so it must not fail because of them.
  const check = isDryRun && request.check === 'block' ? 'warn' : request.check
  const options = {
    baseUrl: request.baseUrl ?? publishing.baseUrl,
    check,
    themes: themeSources(themesFolder, publishing.theme),
    verify: request.verify === true,
  }
  return exportInBackground(ports, source, { target: targetOf(request), options, isDryRun }, context)
}

const targetOf = ({ target: { kind, path } }: ExportRequest): ExportTarget =>
  kind === 'folder' ? { kind, directory: path } : { kind, file: path }

function shownPlan({ added, changed, removed, pages, report }: ExportedBundle, source: LibrarySource): ExportPlan {
  const { links, sha256, verified: _verified, ...counts } = report
  const shown = (paths: readonly string[]) => paths.slice(0, pathsAtMost)
  return {
    counts,
    added: shown(added),
    changed: shown(changed),
    removed: shown(removed),
    pages,
    sha256,
    leftOut: leftOutOf(source.leftOut),
    references: referencesOf(links),
  }
}

/** The bundle is already written, so the export succeeds even if it cannot be added to the history. */
async function record(
  { exports, commit, settings }: Pick<Index, 'commit' | 'exports' | 'settings'>,
  done: DoneExport,
): Promise<void> {
  try {
    await commit.write(() => exports.add(done))
    exportsMadeHere(settings).add(done.id)
  } catch (error) {
    if (!isStorageFault(error)) throw error
  }
}
