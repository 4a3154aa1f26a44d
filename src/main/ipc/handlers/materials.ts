import type { Care, IndexReads, IndexWith, Tasks } from '@galley/library'
import { editedGap } from '@galley/library'
import { searchKinds } from '@galley/library/records'
import type { SearchFound } from '@galley/library/records'
import type { MaterialId, SiteId } from '@galley/wire'
import { fail, folded, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { Handlers } from '../../../ipc/calls.ts'
import type { FoundObject, FoundObjects, materialCalls } from '../../../ipc/materials.ts'
import { noFilters } from '../../../ipc/materials.ts'
import type { Questions } from '../questions.ts'
import { unknownSite } from './unknown.ts'

/** Calls about the saved views of a site's lists. */
function savedViewHandlers(
  { sites, savedViews }: IndexWith<'savedViews'>,
  changed: () => void,
): Pick<Handlers, 'listViews' | 'saveView' | 'removeView'> {
  return {
    listViews: ({ site }) => savedViews.list(site),
    saveView({ site, view }) {
      if (!sites.find(site)) return unknownSite(site)
      const name = view.name.trim()
      if (name === '') return fail({ code: 'invalid_name', field: 'name' })
      savedViews.put(site, { ...view, name })
      changed()
      return ok(null)
    },
    removeView({ site, subject, name }) {
      savedViews.remove(site, subject, name)
      changed()
      return null
    },
  }
}

interface Edges {
  readonly questions: Questions
  readonly changed: () => void
  /** Called when a deletion has changed what lists show. */
  readonly careEnded: () => void
}

export interface MaterialPorts {
  readonly index: IndexWith<'savedViews' | 'settings'>
  readonly care: Care
  readonly tasks: Tasks
  readonly now: () => Date
}

/** Objects of the library whose name or text matches; without a text, the latest materials of a site. */
function findObjects(index: IndexReads, site: SiteId | null, text: string, limit: number): FoundObjects {
  const wanted = folded(text.trim())
  if (wanted === '') return { found: site === null ? [] : latest(index, site, limit), unread: 0 }
  const sites = index.sites.list()
  const isNamed = (name: string): boolean => folded(name).includes(wanted)
  // The first ones of all sites may all be of another one.
  const asked = [...(site === null || sites.length < 2 ? [] : [site]), null]
  const answers = asked.map((of) => index.search.ask({ site: of, text, kinds: searchKinds, versions: 'newest', limit }))
  const hits = new Map(answers.flatMap(({ found }) => found.map((each) => [JSON.stringify(each), each])))
  return {
    found: [
      ...searchKinds.flatMap((kind) => [...hits.values()].filter((each) => each.kind === kind).slice(0, limit)),
      ...named(index, isNamed).slice(0, limit),
      ...sites
        .filter(({ id, name }) => isNamed(id) || isNamed(name))
        .map(({ id, name, environment }): FoundObject => ({ kind: 'site', site: id, name, environment }))
        .slice(0, limit),
    ],
    unread: answers[0]?.unread ?? 0,
  }
}

const named = ({ sites, snapshots }: IndexReads, isNamed: (name: string) => boolean): readonly FoundObject[] =>
  sites.list().flatMap(({ id }) =>
    snapshots
      .list(id)
      .filter(({ snapshotId }) => isNamed(snapshotId))
      .map(({ snapshotId, receivedAt }): FoundObject => ({ kind: 'snapshot', site: id, snapshotId, receivedAt })),
  )

const latest = ({ materialList }: IndexReads, site: SiteId, limit: number): readonly SearchFound[] =>
  materialList
    .query({ site, text: '', filters: noFilters, sort: { by: 'saved', direction: 'down' }, offset: 0, limit })
    .rows.map(({ materialId, title, currentVersionId, savedAt, savedBy }) => ({
      kind: 'title',
      site,
      materialId,
      title,
      versionId: currentVersionId,
      olderNumber: null,
      id: null,
      by: savedBy,
      decision: null,
      excerpt: [],
      at: savedAt,
    }))

/** Calls about the materials of a site: lists, search, deletion and views. */
export function materialHandlers(
  { index, care, tasks, now }: MaterialPorts,
  { changed, careEnded, questions }: Edges,
): HandlersOf<typeof materialCalls> {
  const { materialList, failedSaves, unsignedSaves, snapshots } = index

  return {
    queryMaterials: (query) => materialList.query(query),
    materialIds: (query) => materialList.ids(query),
    findMaterial: ({ site, materialId }) => materialList.find(site, materialId),
    materialFacets: ({ site, archived }) => materialList.facets(site, archived),
    sectionCounts({ site }) {
      return {
        waiting: materialList.waiting(site),
        materials: materialList.count(site),
        failedSaves: failedSaves.of(site),
        unsignedSaves: unsignedSaves.of(site),
        gap: editedGap(index.settings, site, now().getTime()),
        snapshots: snapshots.count(site),
      }
    },
    findObjects: ({ site, text, limit }) => findObjects(index, site, text, limit),
    async startMaterialDelete({ site, materialIds, isDryRun }) {
      const options = { site, materialIds, dryRun: isDryRun }
      if (!isDryRun && !(await mayDelete(index, questions, site, materialIds))) return ok(null)
      const facts = { site, count: materialIds.length, isDryRun }
      return ok({
        task: tasks.start('materialDelete', facts, async ({ signal, progress }) => {
          const done = await care.deleteMaterials(options, { signal, onProgress: progress })
          if (!isDryRun) careEnded()
          return done
        }),
      })
    },
    ...savedViewHandlers(index, changed),
  }
}

/** Asks a person. Shows the title of a single material, or the number of several. */
function mayDelete(
  { materials }: IndexReads,
  questions: Questions,
  site: SiteId,
  materialIds: readonly MaterialId[],
): Promise<boolean> {
  const found = materialIds.flatMap((materialId) => materials.find(site, materialId) ?? [])
  const versions = found.reduce((sum, material) => sum + material.versions, 0)
  const [first] = found
  return first === undefined
    ? Promise.resolve(true)
    : questions.mayDeleteMaterials({ title: first.title, materials: found.length, versions })
}
