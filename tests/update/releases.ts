import type { KeyObject } from 'node:crypto'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

import type { Release } from '../../packages/update/feed.ts'
import { signFeed } from '../../packages/update/feed.ts'

/** A key of a test, and its public part as packages have it. */
export function aKey(): { readonly own: KeyObject; readonly shown: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { own: privateKey, shown: Buffer.from(x, 'base64url').toString('base64') }
}

/** A feed with any text as its release, signed as releases are. */
export const signedText = (release: string, key: KeyObject): string =>
  JSON.stringify({ release, signature: sign(null, Buffer.from(`Galley release\n${release}`), key).toString('base64') })

const sha512 = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('hex')

/** A release with one file for AppImages. */
export const aRelease = (bytes: Buffer, over: Partial<Release> = {}): Release => ({
  version: '0.2.0',
  date: '2026-12-01T10:00:00Z',
  news: { en: 'Faster exports', ru: 'Экспорт стал быстрее' },
  files: [
    { system: `appimage-${process.arch}`, name: 'Galley-0.2.0.AppImage', size: bytes.length, sha512: sha512(bytes) },
  ],
  ...over,
})

export const aFeed = (key: KeyObject, bytes: Buffer, over: Partial<Release> = {}): string =>
  signFeed(aRelease(bytes, over), key)
