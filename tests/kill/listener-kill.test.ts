import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { expect, test } from 'vitest'

import type { Listening } from '../cli/support/cli.ts'
import { galley, galleyProcess, startListen } from '../cli/support/cli.ts'
import { isTaken } from '../support/free-port.ts'
import { aLibrary, openBeside } from '../support/library-with-service.ts'
import { randomFrom } from '../support/random.ts'
import type { Sent } from '../support/saves.ts'
import { createSaves, post } from '../support/saves.ts'
import { expectServed, expectStored } from './saves.ts'

const rounds = Number(process.env['GALLEY_KILL_ROUNDS'] ?? 12)
const seed = Number(process.env['GALLEY_KILL_SEED'] ?? 20_261_101)
const latestKillMs = 400
const materials = ['post/one', 'post/two', 'post/three', 'post/four']

async function kill(listener: Listening): Promise<void> {
  listener.child.kill('SIGKILL')
  expect(await listener.ended).toBe('SIGKILL')
}

async function filesOf(library: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(library, folder), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** SQLite's own check of the index, independent of Galley. */
function inspectIndex(library: string) {
  const db = new BetterSqlite3(join(library, 'index.db'), { readonly: true })
  try {
    db.prepare('ATTACH ? AS local').run(join(library, 'local.db'))
    const outcomes = db.prepare('SELECT content_url AS url, outcome FROM local.callback').all() as {
      url: string
      outcome: string | null
    }[]
    return { quickCheck: db.pragma('quick_check', { simple: true }), outcomes }
  } finally {
    db.close()
  }
}

test(`${rounds} kills at random moments lose no acknowledged save (seed ${seed})`, async () => {
  const { service, library, environment } = await aLibrary()
  const random = randomFrom(seed)
  const { prepare, acknowledge } = createSaves(service, random)
  const acknowledged: Sent[] = []
  const strangers = new Set<string>()
  let interrupted = 0
  let unheard = 0
  let listener = await startListen(library, environment)

  /** Saves one material over and over until the listener is gone. */
  async function keepSaving(kind: Sent['kind'], materialId: string, sent: Sent[]): Promise<void> {
    for (;;) {
      const save = prepare(kind, materialId)
      sent.push(save)
      const answer = await post(listener.url, save)
      if (!answer) return
      expect(answer.json.rc, answer.text).toBe(1)
      acknowledge(save, answer.text)
      // Font sets are rarer than saves, and each is checked again at the end.
      if (kind === 'fonts') await wait(40)
    }
  }

  for (let round = 1; round <= rounds; round += 1) {
    const sent: Sent[] = []
    const lines = materials.map((materialId) => keepSaving('media', materialId, sent))
    if (round % 3 === 0) lines.push(keepSaving('fonts', 'site-fonts', sent))
    await wait(random() * latestKillMs)
    await kill(listener)
    await Promise.all(lines)

    listener = await startListen(library, environment)
    const place = `round ${round}`
    expect(await filesOf(library, 'staging'), place).toStrictEqual([])
    const { quickCheck, outcomes } = inspectIndex(library)
    expect(quickCheck, place).toBe('ok')
    expect(
      outcomes.filter(({ outcome }) => outcome === null),
      place,
    ).toStrictEqual([])
    for (const { contentUrl, answer } of sent) {
      const found = outcomes.filter(({ url }) => url === contentUrl).map(({ outcome }) => outcome)
      // Unheard: it had not begun, or was under way, or was stored when only its answer was missing.
      if (answer === null) expect([[], ['interrupted'], ['stored']], place).toContainEqual(found)
      else expect(found, place).toStrictEqual(['stored'])
      if (found[0] === 'interrupted') interrupted += 1
    }

    const heard = sent.filter(({ answer }) => answer !== null)
    for (const save of heard) await expectServed(listener.url, save)
    // In every other round, the next kill may hit the checks that run in the background.
    if (round % 2 === 0 || round === rounds) {
      await listener.says('checked after an unclean stop')
      expect(listener.stderr()).toContain(' 0 stored files missing')
      expect(listener.stderr()).not.toContain('damaged')
    }
    const reader = await openBeside(library)
    try {
      for (const save of heard) await expectStored(reader, save)
      const files = await filesOf(library, 'files')
      // Leftovers of an interrupted save are not deleted automatically, because the same save may be delivered again.
      for (const file of strangers) expect(files, place).toContain(file)
      for (const file of files) if (!reader.index.blobs.isReferenced(basename(file) as never)) strangers.add(file)
      if (round === rounds) for (const save of acknowledged) await expectStored(reader, save)
    } finally {
      await reader.close()
    }

    // The service repeats callbacks without an answer, and gets one.
    for (const save of sent.filter(({ answer }) => answer === null)) {
      unheard += 1
      const answer = await post(listener.url, save)
      expect(answer?.json.rc, answer?.text).toBe(1)
      acknowledge(save, answer?.text ?? '')
    }
    acknowledged.push(...sent)
  }

  for (const save of acknowledged) await expectServed(listener.url, save)
  console.log(
    `${rounds} kills: ${acknowledged.length} saves, ${unheard} cut off, of which ${interrupted} were interrupted`,
  )
  // A suite that only kills an idle listener would prove nothing.
  expect(interrupted).toBeGreaterThan(rounds / 2)
  listener.child.kill('SIGTERM')
  expect(await listener.ended).toBe(0)
})

test('a kill just after a large save has reached the log loses nothing of it', async () => {
  const { service, library, environment } = await aLibrary()
  const { prepare, acknowledge } = createSaves(service, randomFrom(seed), {
    sizes: Array.from({ length: 1_100 }, () => 64),
  })
  const [log = ''] = await filesOf(library, 'log')
  for (let round = 1; round <= 4; round += 1) {
    const listener = await startListen(library, environment)
    const save = prepare('media', 'post/large')
    const before = statSync(log).size
    const answered = post(listener.url, save)
    // The thread that writes it then commits its rows.
    while (statSync(log).size === before) await nextTurn()
    await kill(listener)
    const answer = await answered
    if (answer) expect(answer.json.rc, answer.text).toBe(1)

    const next = await startListen(library, environment)
    expect(inspectIndex(library).quickCheck).toBe('ok')
    const again = await post(next.url, save)
    expect(again?.json.rc, again?.text).toBe(1)
    if (answer) expect(again?.text).toBe(answer.text)
    acknowledge(save, again?.text ?? '')
    const reader = await openBeside(library)
    await expectStored(reader, save).finally(reader.close)
    await kill(next)
  }
  const checked = await galley(['fsck', '--json', '--library', library], environment)
  expect(checked.code, checked.stdout).toBe(0)
})

test('a library has one listener: a second names its process, and a kill frees the library at once', async () => {
  const { library, environment } = await aLibrary()
  const first = await startListen(library, environment)

  const second = await galleyProcess(['listen', '--json', '--library', library, '--port', '0'], environment)
  expect(second.code).toBe(1)
  expect(second.json()).toStrictEqual({
    error: { code: 'library_in_use', message: expect.stringContaining(`Process ${first.child.pid} `) as string },
  })
  expect(second.failure().message).toContain(first.url)

  await kill(first)
  const next = await startListen(library, environment)
  expect(next.lines[0]).toStrictEqual({
    event: 'listening',
    url: next.url,
    sites: [{ id: 'acme', callback_path: '/callback/acme' }],
  })
  next.child.kill('SIGINT')
  expect(await next.ended, next.stderr()).toBe(0)
})

test('SIGTERM while a save runs: it is stored and answered, then the listener ends with exit code 0', async () => {
  const { service, library, environment } = await aLibrary()
  const { prepare } = createSaves(service, randomFrom(seed))
  const listener = await startListen(library, environment)
  const save = prepare('media', 'post/late')

  const asked = Promise.withResolvers<ServerResponse>()
  service.onDownload((_request, response) => {
    asked.resolve(response)
    return true
  })
  const answered = post(listener.url, save)
  const download = await asked.promise
  listener.child.kill('SIGTERM')
  // The archive arrives after the listener was signalled and accepts nothing more.
  await expect.poll(() => isTaken(Number(new URL(listener.url).port))).toBe(false)
  download.end(save.archive)
  const answer = await answered
  expect(answer?.json.rc, answer?.text).toBe(1)
  expect(await listener.ended).toBe(0)
  expect(listener.lines.at(-1)).toMatchObject({ event: 'callback', outcome: 'stored', version_id: save.versionId })

  const listed = await galley(['versions', 'acme', 'post/late', '--json', '--library', library], environment)
  expect(listed.json()).toMatchObject([{ version_id: save.versionId, media_count: save.files.size }])
})
