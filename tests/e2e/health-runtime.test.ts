import { join } from 'node:path'
import { expect, test } from 'vitest'

import { devDependencies } from '../../package.json'
import { aFolder, aFreePort, goTo, startApp } from './support/app.ts'

test(
  'Health names the runtime and what it lacks: the protection of a package, security fixes',
  { timeout: 60_000 },
  async () => {
    const { app, page, close } = await startApp({ library: join(await aFolder(), 'library'), port: await aFreePort() })
    const { electron } = await app.evaluate(() => process.versions)
    await goTo(page, 'Health')
    const line = page.getByRole('listitem', { name: 'Runtime', exact: true })
    await line.getByText(`Electron ${electron} with Chromium `).waitFor()
    await line.getByText('This is a development runtime: its security switches are off').waitFor()
    // The fallback is of a line that has ended, the one that is built for is not.
    const isUnsupported = Number.parseInt(electron, 10) <= Number.parseInt(devDependencies.electron, 10) - 3
    await line.getByText(isUnsupported ? 'Out of support' : 'Development', { exact: true }).waitFor()
    expect(await line.getByText('no longer gets security fixes').count()).toBe(isUnsupported ? 1 : 0)
    await close()
  },
)
