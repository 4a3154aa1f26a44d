import { counted } from '@galley/platform'
import { republish } from '@galley/sites'

import { progressIntervalMs } from './care-run.ts'
import { command, failed } from './command.ts'
import { UsageError } from './option.ts'
import { knownSite, ofSite } from './site.ts'
import { printable } from './table.ts'

export const siteRepublish = command({
  name: 'site republish',
  summary: 'publish the media and fonts of all saves again',
  detail: 'For a folder or bucket that is new or has lost files.',
  positionals: { ID: ofSite.SITE },
  examples: ['acme'],
  async run(context) {
    const site = await knownSite(context)
    const { index, vault, publishers, confirmations } = await context.galley()
    if (!confirmations.isConfirmed(site)) throw failed({ code: 'site_unconfirmed', site: site.id })
    const publisher = publishers.of(site)
    if (publisher === null)
      throw new UsageError(`the listener serves the media of ${site.id} from the library; there is nothing to publish`)
    let reportedAt = performance.now()
    const done = await republish({ index, vault, publisher }, site, {
      signal: context.interrupted,
      onProgress(files, total) {
        if (performance.now() - reportedAt < progressIntervalMs) return
        reportedAt = performance.now()
        context.log(`${files} of ${counted(total, 'file')}`)
      },
    })
    const { files, lost, withheld } = done
    return {
      json: done,
      text: [
        `${counted(files, 'file')} of all saves are published.`,
        ...lost.map((path) =>
          printable(`Lost in the library: ${path}. Run galley fsck --repair, then run this command again.`),
        ),
        ...withheld.map((path) =>
          printable(`Left out: ${path}. A web server might run it, or no disk can hold it. Save its page again.`),
        ),
      ].join('\n'),
      exitCode: lost.length > 0 ? 1 : 0,
    }
  },
})
