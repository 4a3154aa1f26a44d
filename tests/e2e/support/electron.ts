import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { _electron } from 'playwright'

/**
 * The Electron of the tests as a process to start. `first`: a script of this folder to load before the app, or null.
 * Then the arguments, and additions to the environment.
 */
export function electronProcess(
  first: 'held-until-attached.cjs' | 'slow-machine.cjs' | null,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const executablePath = process.env['GALLEY_TEST_ELECTRON']
  if (executablePath === undefined) throw new Error('GALLEY_TEST_ELECTRON is not set: run this by npm test')
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^GALLEY_|^VITEST|^NODE_/.test(entry[0]),
  )
  return {
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--log-level=3',
      ...(first === null ? [] : ['-r', join(import.meta.dirname, first)]),
      ...args,
    ],
    env: { ...Object.fromEntries(inherited), ...environment },
  }
}

/** The same, driven by Playwright. */
export async function launchElectron(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ElectronApplication> {
  const app = await _electron.launch({
    ...electronProcess('held-until-attached.cjs', args, environment),
    // Playwright would show every page as light.
    colorScheme: null,
    timeout: 120_000,
  })
  return Object.assign(app, {
    evaluate: askedAgain(app.evaluate.bind(app)),
    browserWindow: askedAgain(app.browserWindow.bind(app)),
  })
}

/**
 * V8 keeps only a weak reference to the result that an inspector waits for. Rarely, mostly while an app starts, the result is collected
 * before it is reported. Playwright then fails a call that was carried out.
 */
const askedAgain =
  <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
  async (...given: Given): Promise<Answer> => {
    for (let left = 3; ; left -= 1)
      try {
        return await ask(...given)
      } catch (error) {
        if (left === 0 || !String(error).includes('garbage collected')) throw error
      }
  }
