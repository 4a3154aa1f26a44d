import { command } from './command.ts'
import { flag } from './option.ts'
import { materialJson } from './outside.ts'
import { knownSite, ofSite } from './site.ts'

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
    const standing = reviewing.standing(site.id)
    const failed = failedSaves.ofMaterials(site.id)
    return context.list({
      rows: () => (isArchive ? repository.listArchived(site.id) : repository.list(site.id)),
      json: (material) =>
        materialJson(material, {
          review: standing.get(material.materialId) ?? null,
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
