import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { withLock } from '../../scripts/runtime/lock.ts'
import { capture } from '../../scripts/runtime/processes.ts'

const folder = join(import.meta.dirname, '../judges')
/** npm writes it last: what is installed. */
const installed = join(folder, 'node_modules', '.package-lock.json')

const integrities = (file: string): readonly string[] => readFileSync(file, 'utf8').match(/"integrity": "[^"]+"/g) ?? []

const isInstalled = (): boolean =>
  existsSync(installed) && String(integrities(installed)) === String(integrities(join(folder, 'package-lock.json')))

/**
 * The file of a module in the packages of tests/judges, which `npm ci` leaves out: two suites need them, and they take as much
 * room as a fifth of all others. Installs them if they are missing.
 */
export async function judge(module: string): Promise<string> {
  await withLock(join(folder, 'node_modules.lock'), async () => {
    if (isInstalled()) return
    const { code, stderr } = await capture('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
    if (code !== 0) throw new Error(`The packages of tests/judges cannot be installed: ${stderr.trim()}`)
  })
  return createRequire(join(folder, 'package.json')).resolve(module)
}
