import type { Handlers } from '../../../contract/ipc.ts'
import type { CallbackRow } from '../../../contract/ipc/callbacks.ts'
import type { FoundObject, MaterialCalls } from '../../../contract/ipc/materials.ts'
import { noFilters } from '../../../contract/ipc/materials.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { Galley } from '../../galley.ts'
import { inBatches } from './in-batches.ts'
import { unknownMaterial, unknownSite } from './unknown.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Calls about the materials of a site: lists, search, names, tags and views. */
export function materialHandlers({ index, now }: Galley, changed: () => void): Pick<Handlers, keyof MaterialCalls> {
  const { materials, materialList, materialTags, savedViews, callbackList, snapshots, exports } = index

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

  return {
    queryMaterials: (query) => materialList.query(query),
    materialIds: (query) => materialList.ids(query),
    findMaterial: ({ site, materialId }) => materialList.find(site, materialId),
    materialFacets: ({ site }) => materialList.facets(site),
    sectionCounts({ site }) {
      const sites = site === null ? index.sites.list().map(({ id }) => id as string) : [site]
      const sum = (count: (each: string) => number): number => sites.reduce((total, each) => total + count(each), 0)
      return {
        materials: sum(materialList.count),
        callbacks: callbackList.count(site),
        troubledCallbacks: callbackList.troubled(site, new Date(now().getTime() - dayMs).toISOString()),
        snapshots: sum(snapshots.count),
        exports: sum(exports.count),
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
