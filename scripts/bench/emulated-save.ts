/** The save that the emulator bench repeats: 50 KB in three media, as an editor posts it. */

import { randomBytes } from 'node:crypto'

import { mediaName } from './save.ts'

const names = [0, 1, 2].map(mediaName)
const sentence = 'The quick brown fox jumps over the lazy dog while the service is being measured. '
const blocks = names.map((name, at) => ({ id: at, asset: name, width: 1200, height: 800, caption: sentence.repeat(4) }))

const stateWith = (clientUrl: (name: string) => string) => ({
  assets: Object.fromEntries(names.map((name) => [name, { clientUrl: clientUrl(name), type: 'image' }])),
  blocks,
})

/** The body of the save command. */
export const saveBody = (): Buffer =>
  Buffer.from(
    JSON.stringify({
      html: names.map((name) => `<figure><img src="dummy-${name}"><p>${sentence.repeat(4)}</p></figure>`).join('\n'),
      state: stateWith((name) => `dummy-${name}`),
      files: Object.fromEntries(names.map((name) => [name, randomBytes(16 * 1024).toString('base64')])),
    }),
  )

/** The site's answer after it has stored the media under `origin`. */
export const siteAnswer = (origin: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      rc: 1,
      rm: 'Saved successfully',
      data: { vms_json: stateWith((name) => `${origin}/media/${name}`) },
    }),
  )
