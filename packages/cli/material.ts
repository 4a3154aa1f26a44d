import { runCare } from './care-run.ts'
import type { Command, CommandFailure, Context } from './command.ts'
import { command, failed, positional } from './command.ts'
import { flag } from './option.ts'
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
