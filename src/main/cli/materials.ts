import type { Command } from './command.ts'
import { materialJson } from './outside.ts'
import { knownSite } from './site.ts'
import { table } from './table.ts'

/** More than any site has; a bound all the same. */
const listedAtMost = 100_000

export const materials: Command = {
  name: 'materials',
  usage: 'SITE',
  summary: 'the materials of a site, last saved first',
  positionals: ['SITE'],
  async run(context) {
    const site = await knownSite(context)
    const found = (await context.galley()).index.materials.list(site.id, listedAtMost)
    const rows = found.map((material) => [
      material.materialId,
      material.title,
      String(material.versions),
      material.savedAt ?? 'never saved',
    ])
    return {
      json: found.map(materialJson),
      text:
        rows.length > 0 ? table(['MATERIAL', 'TITLE', 'VERSIONS', 'SAVED'], rows) : 'Nothing was opened or saved yet.',
    }
  },
}
