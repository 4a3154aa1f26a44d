import { join } from 'node:path'

import { addSite } from './add-site.ts'
import { aFolder } from './app.ts'
import { aPage, startEmulator } from './service.ts'

export const secret = 'secret of the harbour'
export const secretsAside = { GALLEY_SECRETS: 'env', GALLEY_SECRET_HARBOUR: secret }

/** The report of an accepted save to its editor. */
export const merged = { result: 'merged' }

/** A library with a site that accepts saves of any material, and a session at its service. */
export async function aHarbourSite(port: number) {
  const emulator = await startEmulator({ secret })
  const library = join(await aFolder(), 'library')
  const callbackUrl = `http://127.0.0.1:${port}/callback/harbour`
  await addSite(library, secretsAside, emulator, { id: 'harbour', name: 'Harbour', callbackUrl })
  const open = (materialId: string, metadata: object = {}) => emulator.openPastGalley(materialId, callbackUrl, metadata)
  const { fingerprint } = await open('stories/quay')
  const save = (heading: string) => emulator.save(fingerprint, aPage(heading))
  return { library, emulator, open, save }
}
