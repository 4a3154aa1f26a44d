import { isMarkedLive } from '@galley/library'
import type { IndexReads, TaskContext, Tasks } from '@galley/library'
import type { Answer, PublishPlan, PublishReport } from '@galley/library/records'
import { isRepair, removesMany, themeSources } from '@galley/sites'
import type { OnlyPage, Published, PublishedSite, Releasing } from '@galley/sites'
import { fail, ok } from '@galley/wire'

import type { Started } from '../../../ipc/call.ts'
import type { Handlers } from '../../../ipc/calls.ts'
import type { PublishOrder } from '../../../ipc/publishing.ts'
import { leftOutOf, pathsAtMost, referencesOf } from './bundle-findings.ts'
import { unknownSite, unknownTarget, unknownVersion } from './unknown.ts'

export interface PublishPorts {
  readonly index: IndexReads
  readonly releasing: Releasing
  readonly tasks: Tasks
}

interface Edges {
  readonly themesFolder: string
  readonly changed: () => void
}

/** What was published or planned; a release that is published again has no verdicts. */
type Outcome = Published & Partial<Pick<PublishedSite, 'leftOut' | 'verdicts'>>

/** Calls that plan and run publications, each as a task. */
export function publishTaskHandlers(
  { index, releasing, tasks }: PublishPorts,
  { themesFolder, changed }: Edges,
): Pick<Handlers, 'startPublishPlan' | 'startPublish' | 'startPublishPage'> {
  async function run(
    order: PublishOrder & { readonly only?: OnlyPage },
    isDryRun: boolean,
    context: TaskContext,
  ): Promise<Answer<Outcome>> {
    const site = index.sites.find(order.site)
    const target = index.targets.find(order.site, order.target)
    if (!site) return unknownSite(order.site)
    if (!target) return unknownTarget
    const { release, only, permits = {} } = order
    const themesOf = (theme: string): readonly string[] => themeSources(themesFolder, theme)
    const done =
      release === null
        ? await releasing.publish({ site, target, themesOf, by: 'person', only, isDryRun, permits }, context)
        : await releasing.rollBack({ target, release, isDryRun, permits }, context)
    // Readers see what they saw before.
    if (!done.ok && done.failure.code === 'publish_stopped' && done.failure.state !== 'mixed')
      return fail({ code: 'cancelled' })
    return done
  }

  const isKnown = ({ site, target }: PublishOrder): Answer<null> => {
    if (!index.sites.find(site)) return unknownSite(site)
    return index.targets.find(site, target) ? ok(null) : unknownTarget
  }
  const factsOf = ({ site, target, release }: PublishOrder) => ({ site, target, isRollback: release !== null })

  function publish(order: PublishOrder & { readonly only?: OnlyPage }): Started {
    const known = isKnown(order)
    if (!known.ok) return known
    const task = tasks.start('publish', factsOf(order), async (context) => {
      const done = await run(order, false, context)
      changed()
      return done.ok ? ok(reportOf(done.value)) : done
    })
    return ok({ task })
  }

  return {
    startPublishPlan(order) {
      const known = isKnown(order)
      if (!known.ok) return known
      const task = tasks.start('publishPlan', factsOf(order), async (context) => {
        const done = await run(order, true, context)
        return done.ok ? ok(planOf(done.value)) : done
      })
      return ok({ task })
    },
    startPublish: publish,
    startPublishPage({ site, ...only }) {
      const { materialId, versionId } = only
      if (index.versions.parts(site, materialId, versionId) === null) return unknownVersion(versionId)
      const target = index.targets.list(site).find((each) => isMarkedLive(index, each))
      return target === undefined
        ? fail({ code: 'no_live_target' })
        : publish({ site, target: target.name, release: null, only })
    },
  }
}

function planOf({ target, counts, changes, removals, pages, moved, links, leftOut, verdicts }: Outcome): PublishPlan {
  const changeAt = new Map(changes.map(({ path, change }) => [path, change]))
  const pathsOf = (kind: 'added' | 'changed' | 'removed') =>
    changes
      .filter(({ change }) => change === kind)
      .slice(0, pathsAtMost)
      .map(({ path }) => path)
  const again = changes.flatMap(({ path, reason }) =>
    reason === 'new' || reason === 'content' || reason === 'gone' ? [] : [[path, reason] as const],
  )
  return {
    target,
    counts,
    removals: removesMany(removals) ? removals : null,
    added: pathsOf('added'),
    changed: pathsOf('changed'),
    removed: pathsOf('removed'),
    reasons: Object.fromEntries(again.slice(0, pathsAtMost)),
    // The paths of the pages of a release that is published again are not known.
    pages: pages
      .filter(({ path }) => path !== '')
      .map(({ path, title, materialId, versionId, notes }) => {
        const change = changeAt.get(path)
        return {
          path,
          title,
          materialId,
          versionId,
          verdict: verdicts?.get(materialId) ?? null,
          change: change === 'added' || change === 'changed' ? change : 'unchanged',
          movedFrom: moved.get(path) ?? null,
          notes,
        }
      }),
    leftOut: leftOutOf(leftOut ?? []),
    references: links === null ? null : referencesOf(links),
  }
}

function reportOf({ release, target, counts, changes, verified, remarks, links, leftOut }: Outcome): PublishReport {
  const repaired = changes.filter(isRepair).map(({ path }) => path)
  return {
    releaseId: release ?? '',
    target,
    counts,
    verified: verified ?? { files: 0, via: 'target', found: 0 },
    repaired: { count: repaired.length, paths: repaired.slice(0, pathsAtMost) },
    remarks,
    leftOut: leftOutOf(leftOut ?? []),
    references: links === null ? null : referencesOf(links),
  }
}
