import type { Command } from './command.ts'
import { flag } from './command.ts'
import { materialJson } from './outside.ts'
import { knownSite } from './site.ts'
import { table } from './table.ts'

/** A limit that no site reaches. */
const listedAtMost = 100_000

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
    const found = isArchive ? repository.listArchived(site.id) : repository.list(site.id, listedAtMost)
    const failed = failedSaves.ofMaterials(site.id)
    const none = isArchive ? 'No archived materials.' : 'No materials yet.'
    const rows = found.map((material) => [
      material.materialId,
      material.title,
      String(material.versions),
      `${material.savedAt ?? 'never saved'}${failed.has(material.materialId) ? ', last save failed' : ''}`,
    ])
    const online = onlinePages.ofSite(site.id)
    return {
      json: found.map((material) =>
        materialJson(material, failed.get(material.materialId) ?? null, online.get(material.materialId) ?? []),
      ),
      text: rows.length > 0 ? table(['MATERIAL', 'TITLE', 'VERSIONS', 'SAVED'], rows) : none,
    }
  },
}
