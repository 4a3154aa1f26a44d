import type { Care, Index, Tasks } from '@galley/library'
import { editedGap } from '@galley/library'
import type { MaterialId, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { Handlers } from '../../../ipc/calls.ts'
import type { materialCalls } from '../../../ipc/materials.ts'
import type { Questions } from '../questions.ts'
import { findObjects } from './find-objects.ts'
import { unknownSite } from './unknown.ts'

/** Calls about the saved views of a site's lists. */
function savedViewHandlers(
  { sites, savedViews }: Index,
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
  readonly index: Index
  readonly care: Care
  readonly tasks: Tasks
  readonly now: () => Date
}

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
  { materials }: Index,
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
