import { restore as restoreLibrary } from '@galley/library'
import { counted } from '@galley/platform'

import { inMegabytes, runCare } from './care-run.ts'
import { command, positional } from './command.ts'

export const backup = command({
  name: 'backup',
  summary: 'back up the library without secrets to one verified file',
  positionals: { FILE: 'the name of the new file' },
  examples: ['/srv/backups/galley.zip'],
  async run(context) {
    const { care } = await context.galley()
    const file = positional(context, 0)
    const report = await runCare(context, (run) => care.backUp({ file }, run))
    const { at, files, bytes, materials, versions, missing, damaged } = report
    const ok = missing.length === 0 && damaged.length === 0
    const sum = `Written and verified: ${counted(materials, 'material')}, ${counted(versions, 'version')}, ${counted(files, 'file')}, ${inMegabytes(bytes)} MB. It contains no secrets.`
    const lack = `The library has ${counted(missing.length, 'missing file')} and ${counted(damaged.length, 'damaged file')}. Everything else was backed up. Run galley fsck --repair, then back up again.`
    return {
      json: { ok, file, created_at: at, files, bytes, materials, versions, missing, damaged, verified: true },
      text: ok ? sum : `${sum}\n${lack}`,
      exitCode: ok ? 0 : 1,
    }
  },
})

const withoutFilesNote =
  'This backup contains no stored files. Copy the folder “files” from the original library to the new one, then run galley fsck.'

export const restore = command({
  name: 'restore',
  summary: 'restore a backup into a new library',
  detail: 'The folder in --library must be missing or empty.',
  positionals: { FILE: 'a file that galley backup wrote' },
  examples: ['/srv/backups/galley.zip --library /srv/galley/restored'],
  async run(context) {
    const file = positional(context, 0)
    const folder = context.libraryFolder
    const report = await runCare(context, (run) => restoreLibrary({ file, folder, now: () => new Date() }, run))
    const {
      backedUpAt,
      files,
      bytes,
      materials,
      versions,
      sitesWithoutSecret: sites,
      missing,
      damaged,
      withFiles,
    } = report
    const sum = `Restored: ${counted(materials, 'material')}, ${counted(versions, 'version')}, ${counted(files, 'file')}, ${inMegabytes(bytes)} MB, as of ${backedUpAt}.`
    const flag = context.secretsFromEnvironment ? '' : ' --secret-stdin'
    const secrets = `A backup contains no secrets, and its sites are not confirmed on this computer. Check each site with galley site show, then confirm it and enter its secret, with the same --library: ${sites.map((id) => `galley site add ${id}${flag}`).join('; ')}`
    const lack = `When the backup was made, the library already had ${counted(missing.length, 'missing file')} and ${counted(damaged.length, 'damaged file')}.`
    return {
      json: {
        ok: true,
        library: folder,
        created_at: backedUpAt,
        files,
        bytes,
        materials,
        versions,
        sites_without_secret: sites,
        missing,
        damaged,
        with_files: withFiles,
      },
      text: [
        sum,
        ...(withFiles ? [] : [withoutFilesNote]),
        ...(missing.length + damaged.length > 0 ? [lack] : []),
        ...(sites.length > 0 ? [secrets] : []),
      ].join('\n'),
    }
  },
})
