import { backupFolders } from '@galley/library'
import type { ErasedPerson } from '@galley/library'
import type { EraseReport } from '@galley/library/records'
import { isEmail } from '@galley/library/records'
import { counted } from '@galley/platform'

import { runCare } from './care-run.ts'
import type { Command, Context } from './command.ts'
import { UsageError, flag, text } from './command.ts'
import { inBucket } from './gc.ts'

export const erase: Command = {
  name: 'erase',
  usage: 'EMAIL|--name NAME [--dry-run]',
  summary:
    'erase a person from versions, callbacks, decisions, stored archives and the log, or a name from decisions and comments; backups are listed',
  positionals: ['[EMAIL]'],
  options: { name: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  async run(context) {
    const who = whoIn(context)
    const galley = await context.galley()
    const options = { ...who, dryRun: flag(context, 'dry-run'), backupFolders: backupFolders(galley) }
    const report = await runCare(context, (run) => galley.care.erase(options, run))
    const { rows, archives, bucket, releaseTexts, fontSets, backups } = report
    // Data that only another computer of the team has must be erased on that computer.
    const ofTeam = bucket && { bucket: { ...bucket, elsewhere: true } }
    const json = { rows, archives, ...ofTeam, release_texts: releaseTexts, font_sets: fontSets, backups }
    return { json, text: inText(report) }
  },
}

function whoIn(context: Context): ErasedPerson {
  const [email, name] = [context.positionals[0]?.trim(), text(context, 'name')?.trim()]
  if ((email === undefined) === (name === undefined)) throw new UsageError('give either EMAIL or --name NAME')
  if (name !== undefined) return { name }
  if (email === undefined || !isEmail(email)) throw new UsageError('EMAIL must be an e-mail address')
  return { email }
}

function inText({ isDryRun, rows, archives, bucket, releaseTexts, fontSets, backups }: EraseReport): string {
  const what = `${counted(rows, 'row')} and ${counted(archives, 'stored archive')}`
  return [
    isDryRun ? `${what} would be changed. Nothing has been changed yet.` : `Erased from ${what}, and from the log.`,
    ...(bucket ? [`${isDryRun ? 'Would change the bucket' : 'Bucket'} of the team: ${inBucket(bucket)}.`] : []),
    ...(bucket
      ? [
          'The team’s other computers keep their own refused callbacks, saved views and backups. Run galley erase there too: it also lists their backups.',
        ]
      : []),
    ...(releaseTexts > 0
      ? [
          `${counted(releaseTexts, 'text')} of published releases contain the address, because it was on their pages. They are kept. ` +
            'Change those pages and publish the site, then delete the folder “releases” in the library folder. After that, you cannot roll back to earlier releases.',
        ]
      : []),
    ...(fontSets > 0
      ? [
          `${counted(fontSets, 'font set')} contain the address in the style sheet or font tree that the editor sent. They are kept, and are sent again when the ` +
            'service repeats the delivery. Remove the address in the editor and save the fonts.',
        ]
      : []),
    ...(backups.length > 0
      ? ['These copies may still contain the address. Delete them when you can:', ...backups]
      : []),
  ].join('\n')
}
