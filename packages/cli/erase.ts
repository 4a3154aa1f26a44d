import { backupFolders } from '@galley/library'
import type { ErasedPerson } from '@galley/library'
import type { EraseReport } from '@galley/library/records'
import { isEmail } from '@galley/library/records'
import { counted } from '@galley/platform'

import { runCare } from './care-run.ts'
import type { Context } from './command.ts'
import { command } from './command.ts'
import { inBucket } from './gc.ts'
import { UsageError, flag, text } from './option.ts'

export const erase = command({
  name: 'erase',
  summary: 'erase a person, by e-mail address or by name',
  detail:
    'An address is erased from versions, callbacks, stored archives and the log; a name from decisions and comments. Backups that may contain it are listed.',
  positionals: { '[EMAIL]': 'the address; or give --name' },
  options: {
    name: text('NAME', 'the name to erase, in place of an address', '"Ada Lovelace"'),
    dryRun: flag('only report what would be changed'),
  },
  examples: ['ada@acme.example --dry-run', '--name "Ada Lovelace"'],
  async run(context, { name, dryRun }) {
    const who = whoIn(context, name)
    const galley = await context.galley()
    const options = { ...who, dryRun, backupFolders: backupFolders(galley) }
    const report = await runCare(context, (run) => galley.care.erase(options, run))
    const { rows, archives, bucket, releaseTexts, fontSets, backups } = report
    // Data that only another computer of the team has must be erased on that computer.
    const ofTeam = bucket && { bucket: { ...bucket, elsewhere: true } }
    const json = { rows, archives, ...ofTeam, release_texts: releaseTexts, font_sets: fontSets, backups }
    return { json, text: inText(report) }
  },
})

function whoIn(context: Context, given: string | null): ErasedPerson {
  const [email, name] = [context.positionals[0]?.trim(), given?.trim()]
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
