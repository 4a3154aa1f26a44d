import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { _electron } from 'playwright'

/** The Electron of the tests, with what stands behind it on the command line and what is added to the environment. */
export function launchElectron(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ElectronApplication> {
  const executablePath = process.env['GALLEY_TEST_ELECTRON']
  if (executablePath === undefined) throw new Error('GALLEY_TEST_ELECTRON is not set: run this by npm test')
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^GALLEY_|^VITEST|^NODE_/.test(entry[0]),
  )
  return _electron.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--log-level=3',
      ...['-r', join(import.meta.dirname, 'held-until-attached.cjs')],
      ...args,
    ],
    env: { ...Object.fromEntries(inherited), ...environment },
    // Playwright would show every page as light.
    colorScheme: null,
    timeout: 30_000,
  })
}
