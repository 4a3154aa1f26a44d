import { fieldMax } from '@galley/library/records'

import { runCare } from './care-run.ts'
import type { Command, CommandFailure, Context } from './command.ts'
import { command, failed, positional } from './command.ts'
import { flag, needed, parsed, trimmed } from './option.ts'
import { materialJson, versionJson } from './outside.ts'
import { pruneJson, pruneText } from './prune.ts'
import { knownSite, ofSite } from './site.ts'

export const ofMaterial = { ...ofSite, MATERIAL: 'the ID of a material' }
export const ofVersion = { ...ofMaterial, VERSION: 'the ID of a version' }
export const ofMaybeVersion = { ...ofMaterial, '[VERSION]': 'the ID of a version; by default the current one' }

/** The material in the arguments SITE and MATERIAL. */
export async function knownMaterial(context: Context) {
  const site = await knownSite(context)
  const galley = await context.galley()
  const material = galley.index.materials.find(site.id, positional(context, 1))
  if (material) return { galley, site: site.id, materialId: material.materialId }
  throw unknownMaterial(positional(context, 1))
}

export const unknownMaterial = (materialId: string): CommandFailure => failed({ code: 'unknown_material', materialId })

export const materials = command({
  name: 'materials',
  summary: 'list the materials of a site, last saved first',
  positionals: ofSite,
  options: { archived: flag('list the archived ones') },
  examples: ['acme', 'acme --archived'],
  async run(context, { archived: isArchive }) {
    const site = await knownSite(context)
    const { index, reviewing } = await context.galley()
    const { materials: repository, failedSaves, onlinePages } = index
    const reviews = reviewing.reviews(site.id)
    const failed = failedSaves.ofMaterials(site.id)
    return context.list({
      rows: () => (isArchive ? repository.listArchived(site.id) : repository.list(site.id)),
      json: (material) =>
        materialJson(material, {
          review: reviews.get(material.materialId) ?? null,
          failed: failed.get(material.materialId) ?? null,
          online: onlinePages.of(site.id, material.materialId),
        }),
      headings: ['MATERIAL', 'TITLE', 'VERSIONS', 'SAVED'],
      cells: (material) => [
        material.materialId,
        material.title,
        String(material.versions),
        `${material.savedAt ?? 'never saved'}${failed.has(material.materialId) ? ', last save failed' : ''}`,
      ],
      none: isArchive ? 'No archived materials.' : 'No materials yet.',
    })
  },
})

export const versions = command({
  name: 'versions',
  summary: 'list the versions of a material, newest first',
  positionals: ofMaterial,
  examples: ['acme post'],
  async run(context) {
    const site = await knownSite(context)
    const { index } = await context.galley()
    return context.list({
      rows: () => index.versions.each(site.id, positional(context, 1)),
      json: versionJson,
      headings: ['', 'VERSION', 'DATE', 'FILES', 'BYTES'],
      cells: (version) => [
        version.current ? '*' : '',
        version.versionId,
        version.versionCdate ?? version.receivedAt,
        String(version.mediaCount),
        String(version.sizeBytes),
      ],
      none: 'No versions yet.',
    })
  },
})

export const rename = command({
  name: 'rename',
  summary: 'set the title and the slug of a material',
  detail: 'A new slug moves its page.',
  positionals: ofMaterial,
  options: {
    title: needed(parsed('TITLE', 'the title', '"A short walk"', trimmed(fieldMax.title))),
    slug: parsed('SLUG', 'the address of its page', 'blog/a-short-walk', trimmed(fieldMax.slug)),
  },
  examples: ['acme post --title "A short walk"'],
  async run(context, wanted) {
    const { galley, site, materialId } = await knownMaterial(context)
    const { materials, materialList, commit, failedSaves, onlinePages } = galley.index
    const renamed = await commit.write(() =>
      materials.rename(
        site,
        materialId,
        wanted.title,
        wanted.slug ?? materials.find(site, materialId)?.slug ?? materialId,
      ),
    )
    const stored = materials.find(site, materialId)
    // With the names that wait for the bucket of a team.
    const row = materialList.find(site, materialId)
    if (!renamed.ok && renamed.failure !== 'unknown') throw failed({ code: 'address_taken', ...renamed.failure })
    if (stored === null || row === null) throw unknownMaterial(materialId)
    const material = { ...stored, title: row.title, slug: row.slug }
    const json = materialJson(material, {
      review: galley.reviewing.reviewOf(site, materialId),
      failed: failedSaves.ofMaterials(site).get(materialId) ?? null,
      online: onlinePages.of(site, materialId),
    })
    return { json, text: `${materialId} is now called “${material.title}” (${material.slug}).` }
  },
})

const archiving = (name: string, summary: string, archived: boolean): Command =>
  command({
    name,
    summary,
    positionals: ofMaterial,
    examples: ['acme post'],
    async run(context) {
      const { galley, site, materialId } = await knownMaterial(context)
      const { fields, commit } = galley.index
      const archivedAt = archived ? galley.now().toISOString() : null
      await commit.write(() => fields.set('material', site, [{ materialId }], { archivedAt }))
      return {
        json: { site, material_id: materialId, archived },
        text: archived
          ? `${materialId} is archived. Lists and exports leave it out; its saves are stored as usual.`
          : `${materialId} is unarchived. Lists and exports include it again.`,
      }
    },
  })

export const materialArchive = archiving('material archive', 'archive a material: lists and exports leave it out', true)
export const materialUnarchive = archiving('material unarchive', 'unarchive a material', false)

export const materialDelete = command({
  name: 'material delete',
  summary: 'delete a material with all its versions',
  detail: 'Later saves of it count as saves of an unknown material.',
  positionals: ofMaterial,
  options: { dryRun: flag('only report what would be deleted') },
  examples: ['acme post --dry-run'],
  async run(context, { dryRun }) {
    const { galley, site, materialId } = await knownMaterial(context)
    const report = await runCare(context, (run) =>
      galley.care.deleteMaterials({ site, materialIds: [materialId], dryRun }, run),
    )
    return { json: pruneJson(report), text: pruneText(report) }
  },
})
