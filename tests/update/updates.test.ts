import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

import { createNetwork } from '../../packages/platform/network/network.ts'
import { readNotes } from '../../packages/update/notes.ts'
import type { UpdateState } from '../../packages/update/state.ts'
import { createUpdates, storedState } from '../../packages/update/updates.ts'
import { causeSentence } from '../../packages/wire/cause.ts'
import { canMount, mountSmallDisk } from '../library/log/small-disk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startFeedServer } from './feed-server.ts'
import { aFeed, aKey, aRelease, signedText } from './releases.ts'

const ours = aKey()
const reserve = aKey()
const stranger = aKey()
const bytes = Buffer.alloc(300_000, 'Galley 0.2.0 ')
const today = '2026-12-01T12:00:00.000Z'
const fileUrl = '/releases/Galley-0.2.0.AppImage'

/** Galley 0.1.0 with an update server that offers 0.2.0, and a stand-in for how a package replaces itself. */
async function anApp(over: Partial<Parameters<typeof createUpdates>[0]> = {}) {
  const folder = await temporaryFolder()
  const server = await startFeedServer()
  onTestFinished(server.close)
  const app = join(folder, 'Galley.AppImage')
  await writeFile(app, 'Galley 0.1.0')
  const downloads = join(folder, 'downloads')
  const lines: string[] = []
  const shown: UpdateState[] = []
  const clock = { now: new Date(today) }
  const here = {
    version: '0.1.0',
    source: { feed: server.feed, keys: [ours.shown, reserve.shown] as [string, string] },
    isDevelopment: false,
    environment: {},
    isOn: () => true,
    notesFile: join(folder, 'updates.json'),
  }
  const installer = {
    system: `appimage-${process.arch}`,
    folder: downloads,
    install: async (file: string) => writeFile(app, await readFile(file)),
  }
  const updates = createUpdates({
    ...here,
    installer,
    network: createNetwork({}),
    now: () => clock.now,
    log: (line) => lines.push(line),
    onState: (state) => shown.push(state),
    ...over,
  })
  server.answers.set('/releases/updates.json', aFeed(ours.own, bytes))
  server.answers.set(fileUrl, bytes)
  return {
    updates,
    server,
    here,
    lines,
    shown,
    clock,
    downloads,
    stored: () => storedState({ ...here, ...over }),
    serve: (feed: string) => server.answers.set('/releases/updates.json', feed),
    /** The bytes of the app after a quit. */
    async afterQuit(): Promise<string> {
      await updates.install()
      return (await readFile(app)).toString()
    },
    left: () => readdir(downloads).catch(() => []),
  }
}

const why = ({ problem }: UpdateState): string | null => problem && causeSentence(problem)

test('a newer version is offered with what is new, downloaded when a person wants it, and installed at the end', async () => {
  const { updates, server, shown, afterQuit } = await anApp()
  expect(updates.state()).toMatchObject({ off: null, checkedAt: null, offer: null })
  expect((await updates.check(false)).offer).toEqual({
    version: '0.2.0',
    date: '2026-12-01T10:00:00Z',
    news: { en: 'Faster exports', ru: 'Экспорт стал быстрее' },
    isSkipped: false,
    step: 'offered',
    done: 0,
  })
  expect(server.requests.map(({ line }) => line)).toEqual(['GET /releases/updates.json'])
  expect(await afterQuit()).toBe('Galley 0.1.0')
  expect((await updates.take()).offer?.step).toBe('ready')
  expect(shown.some(({ offer }) => offer?.step === 'loading' && offer.done > 0)).toBe(true)
  expect(await afterQuit()).toBe(bytes.toString())
  expect(server.requests.map(({ line }) => line)).toEqual(['GET /releases/updates.json', `GET ${fileUrl}`])
  for (const { headers } of server.requests)
    expect(Object.keys(headers).toSorted()).toEqual(['accept-encoding', 'connection', 'host', 'user-agent'])
})

describe('the old version stays, and says why in one sentence,', () => {
  const changed = (text: string, from: string, to: string): string => {
    expect(text).toContain(from)
    return text.replace(from, to)
  }
  const good = aFeed(ours.own, bytes)
  test.each([
    [
      'an older version',
      aFeed(ours.own, bytes, { version: '0.0.9' }),
      'the update server offers version 0.0.9, which is older',
    ],
    [
      'changed metadata',
      changed(good, '0.2.0', '0.3.0'),
      'the release on the update server is not signed by the key of this Galley, or was changed',
    ],
    [
      'another size',
      changed(good, String(bytes.length), '1'),
      'the release on the update server is not signed by the key of this Galley, or was changed',
    ],
    [
      'a wrong signature',
      aFeed(stranger.own, bytes),
      'the release on the update server is not signed by the key of this Galley, or was changed',
    ],
    [
      'no signature',
      JSON.stringify({ release: JSON.stringify(aRelease(bytes)) }),
      'the release on the update server has no signature',
    ],
    ['a page', '<html>', 'what the update server sent does not describe a release'],
    ['endless bytes', 'x'.repeat(70_000), 'what the update server sent does not describe a release'],
    [
      'a name that leads elsewhere',
      signedText(JSON.stringify(aRelease(bytes)).replace('Galley-0.2.0', '../../Galley-0.2.0'), ours.own),
      'what the update server sent does not describe a release',
    ],
  ])('at %s', async (_, feed, sentence) => {
    const { updates, serve, afterQuit, stored, lines } = await anApp()
    serve(feed)
    const state = await updates.check(true)
    expect(why(state)).toBe(sentence)
    expect(state.offer).toBe(null)
    expect(lines).toEqual([`Galley stays at version 0.1.0: ${sentence}`])
    // The next start says it too.
    expect(why(stored())).toBe(sentence)
    expect(await afterQuit()).toBe('Galley 0.1.0')
  })

  test.each([
    ['a download that is cut', 'the update server cannot be used, because the connection was cut', 'cut'],
    ['a download that ends early', 'the download was cut off', 'short'],
    ['a changed byte', 'the downloaded file is not the one that was signed', 'changed'],
    [
      'a download whose end nothing marks',
      'the update server cannot be used, because its response is not valid',
      'endless',
    ],
    ['more bytes', 'the downloaded file is not the one that was signed', 'more'],
    ['a missing file', 'the update server returned status 404', 'missing'],
    ['a redirect', 'the update server returned status 302', 'redirect'],
  ] as const)('at %s', async (_, sentence, how) => {
    const { updates, server, afterQuit, left } = await anApp()
    await updates.check(true)
    const other = Buffer.from(bytes)
    other[150_000] = 0
    const ways = {
      cut: (response) => {
        response.writeHead(200, { 'content-length': bytes.length })
        response.write(bytes.subarray(0, 100_000), () => response.destroy())
      },
      short: (response) => {
        response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(bytes.subarray(0, 100_000))
      },
      endless: (response) => {
        response.useChunkedEncodingByDefault = false
        response.writeHead(200, { connection: 'close' }).end(bytes)
      },
      changed: (response) => response.end(other),
      more: (response) => response.end(Buffer.concat([bytes, bytes])),
      missing: (response) => response.writeHead(404).end(),
      redirect: (response) => response.writeHead(302, { location: fileUrl }).end(),
    } satisfies Record<string, (response: ServerResponse) => void>
    server.answers.set(fileUrl, ways[how])
    const state = await updates.take()
    expect(why(state)).toBe(sentence)
    expect(state.offer?.step).toBe('offered')
    expect(await left()).toEqual([])
    expect(await afterQuit()).toBe('Galley 0.1.0')
    // A second try is a new one.
    server.answers.set(fileUrl, bytes)
    expect(await updates.take()).toMatchObject({ problem: null, offer: { step: 'ready' } })
  })

  test.runIf(canMount())('at a full disk', async () => {
    const disk = mountSmallDisk(1)
    if (disk === null) throw new Error('canMount')
    onTestFinished(disk.unmount)
    disk.fill(100_000)
    const downloads = join(disk.folder, 'downloads')
    const installer = { system: `appimage-${process.arch}`, folder: downloads, install: () => Promise.resolve() }
    const { updates, afterQuit } = await anApp({ installer })
    await updates.check(true)
    expect(why(await updates.take())).toBe('the disk is full')
    expect(await readdir(downloads)).toEqual([])
    expect(await afterQuit()).toBe('Galley 0.1.0')
  })

  test('at a file that is changed between download and quit, and at one that is gone', async () => {
    const { updates, downloads, afterQuit, stored, left } = await anApp()
    await updates.check(true)
    await updates.take()
    const [name = ''] = await left()
    const file = join(downloads, name)
    await writeFile(file, Buffer.concat([bytes.subarray(1), Buffer.from('!')]))
    expect(await afterQuit()).toBe('Galley 0.1.0')
    expect(why(stored())).toBe('the downloaded file is not the one that was signed')
    await rm(file)
    expect(await afterQuit()).toBe('Galley 0.1.0')
    expect(stored().problem?.code).toBe('file_missing')
  })

  test('at a server that does not answer', async () => {
    const { updates, server } = await anApp()
    await server.close()
    expect(why(await updates.check(true))).toBe(
      'the update server cannot be used, because nothing responds at its address',
    )
  })
})

test('the key in reserve signs as well', async () => {
  const { updates, serve } = await anApp()
  serve(aFeed(reserve.own, bytes))
  expect((await updates.check(true)).offer?.version).toBe('0.2.0')
})

test('a feed that is older than one that was seen is refused, also after a restart and for the same version', async () => {
  const { updates, serve, here } = await anApp()
  await updates.check(true)
  serve(aFeed(ours.own, bytes, { date: '2026-11-30T10:00:00Z' }))
  const state = await updates.check(true)
  expect(why(state)).toBe('the update server sent an outdated release, of 2026-11-30')
  // What was found before stays offered.
  expect(state.offer?.version).toBe('0.2.0')
  expect(readNotes(here.notesFile).seenDate).toBe('2026-12-01T10:00:00Z')
})

test('it is asked once a day, for all windows of a person, and after a clock that was ahead', async () => {
  const { updates, server, clock } = await anApp()
  const asked = () => server.requests.length
  await updates.check(false)
  await updates.check(false)
  expect(asked()).toBe(1)
  clock.now = new Date(Date.parse(today) + 23 * 3_600_000)
  await updates.check(false)
  expect(asked()).toBe(1)
  clock.now = new Date(Date.parse(today) + 24 * 3_600_000)
  await updates.check(false)
  expect(asked()).toBe(2)
  clock.now = new Date(today)
  await updates.check(false)
  expect(asked()).toBe(3)
  // A failure is not asked about again either.
  server.answers.delete('/releases/updates.json')
  clock.now = new Date(Date.parse(today) + 48 * 3_600_000)
  await updates.check(false)
  await updates.check(false)
  expect(asked()).toBe(4)
})

test.each([
  ['development', { isDevelopment: true }, false],
  ['not_set', { source: null }, false],
  ['environment', { environment: { GALLEY_NO_UPDATES: '1' } }, false],
  ['settings', { isOn: () => false }, true],
] as const)('off by %s, nothing is asked of anybody', async (off, over, mayAsk) => {
  const { updates, server } = await anApp(over)
  expect((await updates.check(false)).off).toBe(off)
  expect(server.requests).toEqual([])
  // A person may ask where only the daily check is off.
  await updates.check(true)
  expect(server.requests).toHaveLength(mayAsk ? 1 : 0)
})

test('a skipped version is offered no more, the next one is', async () => {
  const { updates, serve, afterQuit } = await anApp()
  await updates.check(true)
  await updates.take()
  expect(updates.skip().offer).toMatchObject({ isSkipped: true, step: 'offered' })
  expect(await afterQuit()).toBe('Galley 0.1.0')
  expect((await updates.check(true)).offer?.isSkipped).toBe(true)
  serve(aFeed(ours.own, bytes, { version: '0.10.0', date: '2026-12-02T10:00:00Z' }))
  expect((await updates.check(true)).offer).toMatchObject({ version: '0.10.0', isSkipped: false })
})

test('what a package manager installs is named, and never downloaded', async () => {
  const { updates, server, stored } = await anApp({ installer: null })
  expect((await updates.check(true)).offer?.step).toBe('named')
  await updates.take()
  expect(server.requests).toHaveLength(1)
  expect(stored().offer?.version).toBe('0.2.0')
})

test('a release without a file for this system is not downloaded', async () => {
  const { updates, serve } = await anApp()
  serve(aFeed(ours.own, bytes, { files: [] }))
  await updates.check(true)
  expect(why(await updates.take())).toBe('version 0.2.0 has no file for this system')
})

test('what this computer remembers is read like any input', async () => {
  const { here, stored, updates } = await anApp()
  for (const text of ['', '[]', '{"feed":1,"problem":{"code":"nonsense"},"checkedAt":"now"}']) {
    await writeFile(here.notesFile, text)
    expect(stored()).toMatchObject({ checkedAt: null, problem: null, offer: null })
  }
  await updates.check(true)
  // A feed that somebody puts there has to be signed too.
  const notes = readNotes(here.notesFile)
  await writeFile(here.notesFile, JSON.stringify({ ...notes, feed: aFeed(stranger.own, bytes) }))
  expect(stored().offer).toBe(null)
})
