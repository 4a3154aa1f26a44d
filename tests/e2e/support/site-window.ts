import { join } from 'node:path'

import { galley } from '../../cli/support/cli.ts'
import { addSite } from './add-site.ts'
import { aFolder, aFreePort, expectListener, recordOpenedAddresses, startApp } from './app.ts'
import type { EditorContent } from './service.ts'
import { fingerprintIn, startEmulator } from './service.ts'

const secret = 'press secret'

/** A window on a site that accepts saves of every material, its emulator, and the command line on the same library. */
export async function startSiteWindow(name = 'Press') {
  const emulator = await startEmulator({ secret })
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_PRESS: secret }
  const callbackUrl = `http://127.0.0.1:${port}/callback/press`
  await addSite(library, environment, emulator, { id: 'press', name, callbackUrl })
  const started = await startApp({ library, port, environment })
  const { app, page } = started
  await expectListener(page, 'Listening')
  const openedAddresses = await recordOpenedAddresses(app)
  const fingerprints = new Map<string, string>()
  const open = async (materialId: string): Promise<string> => {
    const known = fingerprints.get(materialId)
    if (known !== undefined) return known
    const { fingerprint } = await emulator.openPastGalley(materialId, callbackUrl)
    fingerprints.set(materialId, fingerprint)
    return fingerprint
  }

  return {
    ...started,
    emulator,
    openedAddresses,
    /** Saves a material as an editor does, in a session that Galley may not have opened. */
    save: async (materialId: string, content: EditorContent) => emulator.save(await open(materialId), content),
    /** The editor saves in the session that Galley opened last. */
    async saveInOpened(content: EditorContent) {
      return emulator.save(fingerprintIn((await openedAddresses()).at(-1)), content)
    },
    /** Runs a command with `--json` and returns its output. */
    command: async (...args: readonly string[]) =>
      (await galley([...args, '--library', library, '--json'], environment)).json(),
    material: (materialId: string) =>
      page.evaluate((materialId) => window.galley.call('findMaterial', { site: 'press', materialId }), materialId),
    versions: async (materialId: string) => {
      const query = { site: 'press', materialId, offset: 0, limit: 100 }
      return (await page.evaluate((query) => window.galley.call('queryVersions', query), query)).rows
    },
    clipboard: () => app.evaluate(({ clipboard }) => clipboard.readText()),
  }
}

export type SiteWindow = Awaited<ReturnType<typeof startSiteWindow>>

/** Whether a material was ever opened at the service. */
export const isOpened = async ({ emulator }: SiteWindow, materialId: string): Promise<boolean> =>
  (await (await fetch(emulator.url)).text()).includes(materialId)
