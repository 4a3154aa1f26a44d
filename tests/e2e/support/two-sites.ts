import { join } from 'node:path'
import { request } from 'undici'
import { expect } from 'vitest'

import { signatureOf } from '../../support/service.ts'
import { addSite } from './add-site.ts'
import { aFolder, aFreePort, chooseInSwitcher, expectListener, goTo, inGrid, startApp } from './app.ts'
import { aPage, startEmulator } from './service.ts'

export const secret = 'secret of the harbour'
export const citySecret = 'secret of the city'

/** A window on the callbacks of a site with one saved version, and another site with a different secret. */
export async function startCallbacks(shown: { readonly isForDevelopers?: boolean } = {}) {
  const emulator = await startEmulator({ secret })
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const profile = await aFolder()
  const environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_HARBOUR: secret, GALLEY_SECRET_CITY: citySecret }
  const urlOf = (site: string): string => `http://127.0.0.1:${port}/callback/${site}`
  for (const [id, name] of [
    ['harbour', 'Harbour'],
    ['city', 'City'],
  ] as const) {
    await addSite(library, environment, emulator, { id, name, callbackUrl: urlOf(id) })
  }
  /** The window on this library, now or again. */
  const start = async () => {
    const started = await startApp({ library, port, environment, profile, ...shown })
    await expectListener(started.page, 'Listening')
    return started
  }
  const started = await start()
  const { page } = started
  await chooseInSwitcher(page, /Harbour/)
  const { fingerprint } = await emulator.openPastGalley('stories/quay', urlOf('harbour'))
  const save = async (heading: string): Promise<void> =>
    expect(await emulator.save(fingerprint, aPage(heading))).toMatchObject({ result: 'merged' })
  await save('The old quay')
  await goTo(page, 'Delivery')
  const callbacks = inGrid(page, 'Callbacks')
  await expect.poll(() => callbacks.count()).toBe(1)
  /** A callback as the service sends it, signed with any secret. */
  const deliver = (body: object, signature: string, site = 'harbour') =>
    request(urlOf(site), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': signature },
      body: JSON.stringify(body),
    })
  /** A download URL of the service without a file. */
  const contentUrl = `${emulator.baseUrl}/download/media/0b8a5bd2-1ad7-4a55-9f4e-000000000001/0b8a5bd2-1ad7-4a55-9f4e-000000000002`
  /** A save of the quay that claims `contentUrl`, whatever its signature. */
  const forge = (signature: string, site?: string) =>
    deliver({ event: 'article_saved', material_id: 'stories/quay', content_url: contentUrl }, signature, site)
  const signed = (by: string, url = contentUrl): string => signatureOf(by, 'stories/quay', url)
  return { ...started, library, start, callbacks, save, deliver, forge, signed, contentUrl, emulator }
}
