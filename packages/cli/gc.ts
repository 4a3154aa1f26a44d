import type { BucketReport } from '@galley/library/records'
import { counted } from '@galley/platform'

import { inMegabytes, runCare } from './care-run.ts'
import type { Command } from './command.ts'
import { flag } from './command.ts'

export const gc: Command = {
  name: 'gc',
  usage: '[--dry-run] [--empty-lost-and-found]',
  summary: 'delete unused files; move files that were never part of a save to lost-and-found',
  positionals: [],
  options: { 'dry-run': { type: 'boolean' }, 'empty-lost-and-found': { type: 'boolean' } },
  async run(context) {
    const { care } = await context.galley()
    const options = { dryRun: flag(context, 'dry-run'), emptyLostAndFound: flag(context, 'empty-lost-and-found') }
    const { isDryRun, blobs, files, bytes, bucket, setAside } = await runCare(context, (run) =>
      care.collect(options, run),
    )
    const what = `${counted(files, 'file')}, ${inMegabytes(bytes)} MB`
    const lines = [isDryRun ? `Would delete ${what}. Nothing has been deleted yet.` : `Deleted ${what}.`]
    if (setAside.files > 0) {
      const unknown = `${counted(setAside.files, 'file')} (${inMegabytes(setAside.bytes)} MB) that were never part of a save`
      lines.push(isDryRun ? `Would move ${unknown} to lost-and-found.` : `Moved ${unknown} to lost-and-found.`)
    }
    if (bucket) lines.push(`${isDryRun ? 'Would change the bucket' : 'Bucket'} of the team: ${inBucket(bucket)}.`)
    const json = { dry_run: isDryRun, blobs, files, bytes, ...(bucket && { bucket }), set_aside: setAside }
    return { json, text: lines.join('\n') }
  },
}

/** What was or would be done in the bucket of a team. */
export const inBucket = ({ objects, entries, checkpoints }: BucketReport): string =>
  `${counted(objects, 'object')} removed, ${entries} log ${entries === 1 ? 'entry' : 'entries'} folded, ${counted(checkpoints, 'checkpoint')} removed`
