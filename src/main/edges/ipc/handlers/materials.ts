import type { Handlers } from '../../../../contract/ipc/calls.ts'
import type { CallbackRow } from '../../../../contract/ipc/callbacks.ts'
import type { FoundObject, MaterialCalls } from '../../../../contract/ipc/materials.ts'
import { noFilters } from '../../../../contract/ipc/materials.ts'
import { fail, ok } from '../../../../contract/result.ts'
import { careAnswer } from '../../../use-cases/care/care-answer.ts'
import type { Questions } from '../questions.ts'
import { inBatches } from './in-batches.ts'
import { unknownMaterial, unknownSite } from './unknown.ts'
import type { Index } from '../../../library/db/library-index.ts'
import type { Care } from '../../../use-cases/care/care.ts'
import type { Tasks } from '../../../platform/tasks/tasks.ts'

interface Edges {
  readonly questions: Questions
  readonly changed: () => void
  /** Told when a deletion has changed what lists show. */
  readonly cared: () => void
}

export interface MaterialPorts {
  readonly index: Index
  readonly care: Care
  readonly tasks: Tasks
  readonly now: () => Date
}

/** Calls about the materials of a site: lists, search, names, tags and views. */
export function materialHandlers(
  { index, care, tasks, now }: MaterialPorts,
  { changed, cared, questions }: Edges,
): Pick<Handlers, keyof MaterialCalls> {
  const { materials, materialList, materialTags, savedViews, callbackList, failedSaves, snapshots, exports } = index

  function findObjects(site: string | null, text: string, limit: number): readonly FoundObject[] {
    const sites = index.sites.list()
    const wanted = text.trim().toLowerCase()
    const isNamed = (name: string): boolean => name.toLowerCase().includes(wanted)
    const inSites = sites.filter(({ id }) => site === null || id === site)
    const found = inSites.flatMap(({ id }): readonly FoundObject[] => {
      const sort = { by: wanted === '' ? 'saved' : 'relevance', direction: 'down' } as const
      const { rows } = materialList.query({ site: id, text, filters: noFilters, sort, offset: 0, limit })
      return rows.map(({ materialId, title, hit }) => ({ kind: 'material', site: id, materialId, title, hit }) as const)
    })
    if (wanted === '') return found.slice(0, limit)
    const callback = callbackList.find(text.trim())
    return [
      ...sites
        .filter(({ id, name }) => isNamed(id) || isNamed(name))
        .map(({ id, name, environment }): FoundObject => ({ kind: 'site', site: id, name, environment })),
      ...(callback ? [callbackObject(callback)] : []),
      ...found,
      ...inSites.flatMap(({ id }) =>
        snapshots
          .list(id)
          .filter(({ snapshotId }) => isNamed(snapshotId))
          .map(({ snapshotId, receivedAt }): FoundObject => ({ kind: 'snapshot', site: id, snapshotId, receivedAt })),
      ),
    ].slice(0, limit)
  }

  /** Names one material by its title; of several it tells how many there are. */
  function mayDelete(site: string, materialIds: readonly string[]): Promise<boolean> {
    const found = materialIds.flatMap((materialId) => materials.find(site, materialId) ?? [])
    const versions = found.reduce((sum, material) => sum + material.versions, 0)
    const [first] = found
    return first === undefined
      ? Promise.resolve(true)
      : questions.mayDeleteMaterials({ title: first.title, materials: found.length, versions })
  }

  return {
    queryMaterials: (query) => materialList.query(query),
    materialIds: (query) => materialList.ids(query),
    findMaterial: ({ site, materialId }) => materialList.find(site, materialId),
    materialFacets: ({ site, archived }) => materialList.facets(site, archived),
    sectionCounts({ site }) {
      return {
        materials: materialList.count(site),
        callbacks: callbackList.count(site),
        failedSaves: failedSaves.of(site),
        snapshots: snapshots.count(site),
        exports: exports.count(site),
      }
    },
    findObjects: ({ site, text, limit }) => findObjects(site, text, limit),
    renameMaterial({ site, materialId, title, slug }) {
      const named = { title: title.trim(), slug: slug.trim() }
      for (const field of ['title', 'slug'] as const) {
        if (named[field] === '') return fail({ code: 'invalid_name', message: `The ${field} is empty.`, field })
      }
      const isThere = materials.rename(site, materialId, named.title, named.slug)
      const row = isThere ? materialList.find(site, materialId) : null
      if (row === null) return unknownMaterial(materialId)
      changed()
      return ok(row)
    },
    async tagMaterials({ site, materialIds, add, remove }) {
      const added = add.map((tag) => tag.normalize('NFC').trim())
      const bad = added.find((tag) => tag === '' || tag.length > 64 || /[\p{Cc}\p{Cf}]/u.test(tag))
      if (bad !== undefined) {
        const message = 'A tag has 1 to 64 characters and no control characters.'
        return fail({ code: 'invalid_tag', message, facts: { tag: bad, maxLength: 64 } })
      }
      await inBatches(materialIds, (some) => materialTags.change(site, some, { add: added, remove }))
      changed()
      return ok(null)
    },
    async archiveMaterials({ site, materialIds, isArchived }) {
      const at = isArchived ? now().toISOString() : null
      await inBatches(materialIds, (some) => materials.archive(site, some, at))
      changed()
      return ok(null)
    },
    async startMaterialDelete({ site, materialIds, isDryRun }) {
      const wish = { site, materialIds, dryRun: isDryRun }
      if (!isDryRun && !(await mayDelete(site, materialIds))) return ok(null)
      const facts = { site, count: materialIds.length, isDryRun }
      return ok({
        task: tasks.start('materialDelete', facts, async ({ signal, progress }) => {
          const done = careAnswer(await care.deleteMaterials(wish, { signal, onProgress: progress }))
          if (!isDryRun) cared()
          return done
        }),
      })
    },
    listViews: ({ site }) => savedViews.list(site),
    saveView({ site, view }) {
      if (!index.sites.find(site)) return unknownSite(site)
      const name = view.name.trim()
      if (name === '') return fail({ code: 'invalid_name', message: 'The view has no name.', field: 'name' })
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

const callbackObject = ({ site, id, receivedAt }: CallbackRow): FoundObject => ({
  kind: 'callback',
  site,
  id,
  receivedAt,
})
