import { command, positional } from './command.ts'
import { ofMaterial } from './material.ts'
import { versionJson } from './outside.ts'
import { knownSite } from './site.ts'

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
