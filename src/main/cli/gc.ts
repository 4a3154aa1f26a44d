import { counted } from '../counted.ts'
import { inMegabytes, runCare } from './care-run.ts'
import type { Command } from './command.ts'
import { flag } from './command.ts'

export const gc: Command = {
  name: 'gc',
  usage: '[--dry-run]',
  summary: 'delete what nothing in the library needs',
  positionals: [],
  options: { 'dry-run': { type: 'boolean' } },
  async run(context) {
    const { care } = await context.galley()
    const { isDryRun, blobs, files, bytes } = await runCare(context, (run) =>
      care.collect({ dryRun: flag(context, 'dry-run') }, run),
    )
    const what = `${counted(files, 'file')}, ${inMegabytes(bytes)} MB`
    const text = isDryRun ? `Nothing needs ${what}. Nothing was deleted yet.` : `Deleted ${what}, which nothing needed.`
    return { json: { dry_run: isDryRun, blobs, files, bytes }, text }
  },
}
