import type { Command } from './command.ts'
import { positional } from './command.ts'
import { versionJson } from './outside.ts'
import { knownSite } from './site.ts'

export const versions: Command = {
  name: 'versions',
  usage: 'SITE MATERIAL',
  summary: 'list the versions of a material, newest first',
  positionals: ['SITE', 'MATERIAL'],
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
}
