/** The package that tests run: as people install it, but for the fuse that lets Playwright attach. */

import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findElectron } from '../runtime/electron.ts'
import { setFuses, testTwinFuses } from '../runtime/fuses.ts'
import { withLock } from '../runtime/lock.ts'
import { projectRoot, scratchFolder } from '../runtime/project.ts'
import { stampFile } from '../runtime/staleness.ts'
import { folderOfPackage, packageFolder } from './build-package.ts'

const folder = join(scratchFolder, 'test-twin')
/** Written last: what the package was made from. */
const stamp = join(folder, stampFile)

/** The executable, which `ensureTestTwin` makes. */
export const testTwin = join(folderOfPackage(folder), 'galley')

/** Makes the package from what is built, if it is of an earlier build; or from the folder of an installed app in `GALLEY_INSTALLED`. */
export async function ensureTestTwin(): Promise<void> {
  const installed = process.env['GALLEY_INSTALLED']
  await withLock(`${folder}.lock`, async () => {
    if (installed) {
      rmSync(folder, { recursive: true, force: true })
      cpSync(installed, folderOfPackage(folder), { recursive: true })
      return setFuses(testTwin, testTwinFuses)
    }
    const built = readFileSync(join(projectRoot, 'out', stampFile), 'utf8')
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === built) return
    await packageFolder({ electron: await findElectron(), folder, fuses: testTwinFuses })
    writeFileSync(stamp, built)
  })
}
