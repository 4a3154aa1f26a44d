import { command } from './command.ts'
import { snapshotJson } from './outside.ts'
import { knownSite, ofSite } from './site.ts'
import { table } from './table.ts'

export const fonts = command({
  name: 'fonts',
  summary: 'list the font sets of a site, newest first',
  positionals: ofSite,
  examples: ['acme'],
  async run(context) {
    const site = await knownSite(context)
    const found = (await context.galley()).index.snapshots.list(site.id)
    const rows = found.map(({ snapshotId, receivedAt, files, cssUrl }) => [
      snapshotId,
      receivedAt,
      String(files.length),
      cssUrl,
    ])
    return {
      json: found.map(snapshotJson),
      text: rows.length > 0 ? table(['SNAPSHOT', 'RECEIVED', 'FILES', 'CSS'], rows) : 'No font sets yet.',
    }
  },
})
