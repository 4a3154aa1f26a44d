import { createHash, generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { readFeed } from '../../packages/update/feed.ts'
import { feedName, givenSource, writeFeed } from '../../scripts/package/update-feed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aKey } from '../update/releases.ts'

const [ours, reserve, stranger] = [aKey(), aKey(), aKey()]
const keys = [ours.shown, reserve.shown]
const pem = ({ own }: ReturnType<typeof aKey>): string => own.export({ type: 'pkcs8', format: 'pem' }).toString()
const about = { version: '0.2.0', date: '2026-12-01T10:00:00Z', news: { en: 'Faster', ru: 'Быстрее' } }

async function packages(...names: readonly string[]): Promise<string> {
  const folder = await temporaryFolder()
  for (const name of names) writeFileSync(join(folder, name), `The bytes of ${name}`)
  return folder
}

const read = (folder: string) => {
  const feed = readFeed(readFileSync(join(folder, feedName), 'utf8'), keys)
  return feed.ok ? feed.value : feed.failure
}

describe('a feed', () => {
  test('names the packages that replace themselves, for each system, and is read by the keys of packages', async () => {
    const folder = await packages(
      'galley-0.1.0.AppImage',
      'galley-0.2.0-mac-arm64.zip',
      'galley-0.2.0-mac-universal.zip',
      'galley-0.2.0-setup.exe',
      'galley-0.2.0.AppImage',
      'galley-0.2.0.cdx.json',
      'galley-0.2.0.dmg',
      'galley_0.2.0_amd64.deb',
    )
    const written = ['mac-arm64.zip', 'mac-universal.zip', 'mac-universal.zip', 'setup.exe'].map(
      (end) => `galley-0.2.0-${end}`,
    )
    expect(await writeFeed({ ...about, folder, key: pem(ours), keys })).toEqual([...written, 'galley-0.2.0.AppImage'])
    const file = (system: string, name: string) => {
      const text = `The bytes of ${name}`
      return { system, name, size: text.length, sha512: createHash('sha512').update(text).digest('hex') }
    }
    expect(read(folder)).toEqual({
      ...about,
      files: [
        file('mac-arm64', 'galley-0.2.0-mac-arm64.zip'),
        file('mac-x64', 'galley-0.2.0-mac-universal.zip'),
        file('mac-arm64', 'galley-0.2.0-mac-universal.zip'),
        file('nsis-x64', 'galley-0.2.0-setup.exe'),
        file('appimage-x64', 'galley-0.2.0.AppImage'),
      ],
    })
  })

  test('without packages of that kind tells of a version alone, and may be signed by the key in reserve', async () => {
    const folder = await packages('galley_0.2.0_amd64.deb')
    expect(await writeFeed({ ...about, folder, key: pem(reserve), keys })).toEqual([])
    expect(read(folder)).toEqual({ ...about, files: [] })
  })

  test.each([
    ['of somebody else', pem(stranger), 'it does not belong to the public keys in GALLEY_UPDATE_KEYS.'],
    [
      'of another kind',
      generateKeyPairSync('rsa', { modulusLength: 1024 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
      'it does not belong to the public keys in GALLEY_UPDATE_KEYS.',
    ],
    ['that is none', 'secret words', 'GALLEY_UPDATE_SIGNING_KEY is not a private key as PEM.'],
    ['that is public', ours.shown, 'GALLEY_UPDATE_SIGNING_KEY is not a private key as PEM.'],
  ])('is not written with a key %s', async (_, key, message) => {
    const folder = await packages('galley-0.2.0.AppImage')
    await expect(writeFeed({ ...about, folder, key, keys })).rejects.toMatchObject({ part: 'Key', message })
    expect(readdirSync(folder)).toEqual(['galley-0.2.0.AppImage'])
  })

  test('takes news of 4,000 characters and no more, as the check of a release says', async () => {
    const folder = await packages()
    const news = (length: number) => ({ en: 'x', ru: 'я'.repeat(length) })
    await writeFeed({ ...about, folder, key: pem(ours), keys, news: news(4_000) })
    expect(read(folder)).toMatchObject({ news: news(4_000) })
    await expect(writeFeed({ ...about, folder, key: pem(ours), keys, news: news(4_001) })).rejects.toThrow('4000')
  })
})

describe('a package', () => {
  const environment = (feed?: string, given?: readonly string[]) => ({
    ...(feed !== undefined && { GALLEY_UPDATE_FEED: feed }),
    ...(given && { GALLEY_UPDATE_KEYS: given.join(',') }),
  })

  test('has the address and both keys that its build was given, or no updates', () => {
    const feed = 'https://galley.example/releases/updates.json'
    expect(givenSource(environment(feed, keys))).toEqual({ feed, keys })
    const here = 'http://127.0.0.1:8000/updates.json'
    expect(givenSource(environment(here, keys))).toEqual({ feed: here, keys })
    expect(givenSource({})).toBeNull()
    // Secrets that a workflow does not have.
    expect(givenSource(environment('', ['']))).toBeNull()
  })

  test.each([
    ['no keys', environment('https://galley.example/updates.json')],
    ['no address', environment(undefined, keys)],
    ['an address without TLS', environment('http://galley.example/updates.json', keys)],
    ['what is no address', environment('updates.json', keys)],
    ['one key', environment('https://galley.example/updates.json', [ours.shown])],
    ['one key twice', environment('https://galley.example/updates.json', [ours.shown, ours.shown])],
    ['three keys', environment('https://galley.example/updates.json', [...keys, stranger.shown])],
    ['half a key', environment('https://galley.example/updates.json', [ours.shown, reserve.shown.slice(0, 20)])],
  ])('is not built with %s', (_, given) => {
    expect(() => givenSource(given)).toThrow('GALLEY_UPDATE_FEED is an https address, and GALLEY_UPDATE_KEYS two')
  })
})
