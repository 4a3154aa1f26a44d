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
