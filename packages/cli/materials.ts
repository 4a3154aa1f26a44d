import type { Command } from './command.ts'
import { flag } from './command.ts'
import { materialJson } from './outside.ts'
import { knownSite } from './site.ts'

export const materials: Command = {
  name: 'materials',
  usage: 'SITE [--archived]',
  summary: 'list the materials of a site, last saved first; --archived lists the archived ones',
  positionals: ['SITE'],
  options: { archived: { type: 'boolean' } },
  async run(context) {
    const site = await knownSite(context)
    const { materials: repository, failedSaves, onlinePages } = (await context.galley()).index
    const isArchive = flag(context, 'archived')
    const failed = failedSaves.ofMaterials(site.id)
    return context.list({
      rows: () => (isArchive ? repository.listArchived(site.id) : repository.list(site.id)),
      json: (material) =>
        materialJson(material, failed.get(material.materialId) ?? null, onlinePages.of(site.id, material.materialId)),
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
}
