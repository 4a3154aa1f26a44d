import type { Command } from './command.ts'
import { positional } from './command.ts'
import { versionJson } from './outside.ts'
import { knownSite } from './site.ts'
import { table } from './table.ts'

export const versions: Command = {
  name: 'versions',
  usage: 'SITE MATERIAL',
  summary: 'list the versions of a material, newest first',
  positionals: ['SITE', 'MATERIAL'],
  async run(context) {
    const site = await knownSite(context)
    const found = (await context.galley()).index.versions.list(site.id, positional(context, 1))
    const rows = found.map((version) => [
      version.current ? '*' : '',
      version.versionId,
      version.versionCdate ?? version.receivedAt,
      String(version.mediaCount),
      String(version.sizeBytes),
    ])
    return {
      json: found.map(versionJson),
      text: rows.length > 0 ? table(['', 'VERSION', 'DATE', 'FILES', 'BYTES'], rows) : 'No versions yet.',
    }
  },
}
