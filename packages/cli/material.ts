import { runCare } from './care-run.ts'
import type { Command, CommandFailure, Context } from './command.ts'
import { failed, flag, positional } from './command.ts'
import { pruneJson, pruneText } from './prune.ts'
import { knownSite } from './site.ts'

/** The material in the arguments SITE and MATERIAL. */
export async function knownMaterial(context: Context) {
  const site = await knownSite(context)
  const galley = await context.galley()
  const material = galley.index.materials.find(site.id, positional(context, 1))
  if (material) return { galley, site: site.id, materialId: material.materialId }
  throw unknownMaterial(positional(context, 1))
}

export const unknownMaterial = (materialId: string): CommandFailure => failed({ code: 'unknown_material', materialId })

const archiving = (name: string, summary: string, archived: boolean): Command => ({
  name,
  usage: 'SITE MATERIAL',
  summary,
  positionals: ['SITE', 'MATERIAL'],
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

export const materialDelete: Command = {
  name: 'material delete',
  usage: 'SITE MATERIAL [--dry-run]',
  summary: 'delete a material with all its versions; later saves count as saves of an unknown material',
  positionals: ['SITE', 'MATERIAL'],
  options: { 'dry-run': { type: 'boolean' } },
  async run(context) {
    const { galley, site, materialId } = await knownMaterial(context)
    const dryRun = flag(context, 'dry-run')
    const report = await runCare(context, (run) =>
      galley.care.deleteMaterials({ site, materialIds: [materialId], dryRun }, run),
    )
    return { json: pruneJson(report), text: pruneText(report) }
  },
}
