import type { BucketReport } from '@galley/library/records'
import { counted } from '@galley/platform'

import { inMegabytes, runCare } from './care-run.ts'
import { command } from './command.ts'
import { flag } from './option.ts'

export const gc = command({
  name: 'gc',
  summary: 'delete unused files',
  detail: 'Files that were never part of a save are moved to lost-and-found.',
  options: {
    dryRun: flag('only report what would be deleted'),
    emptyLostAndFound: flag('also delete what is in lost-and-found'),
  },
  examples: ['--dry-run'],
  async run(context, options) {
    const { care } = await context.galley()
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
})

/** What was or would be done in the bucket of a team. */
export const inBucket = ({ objects, entries, checkpoints }: BucketReport): string =>
  `${counted(objects, 'object')} removed, ${entries} log ${entries === 1 ? 'entry' : 'entries'} folded, ${counted(checkpoints, 'checkpoint')} removed`
