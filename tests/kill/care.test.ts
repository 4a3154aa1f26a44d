import { existsSync } from 'node:fs'
import { readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

import { restore } from '../../packages/library/care/restore.ts'
import type { CareRun } from '../../packages/library/care/run.ts'
import { startListen, stream } from '../cli/support/cli.ts'
import { aCaredLibrary, someFiles } from '../library/care/library.ts'
import { sha } from '../library/db/sample.ts'
import { aLibrary, openBeside } from '../support/library-with-service.ts'
import { randomFrom } from '../support/random.ts'
import type { Sent } from '../support/saves.ts'
import { createSaves, post } from '../support/saves.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { expectServed, expectStored } from './saves.ts'

const savesBeside = Number(process.env['GALLEY_CARE_SAVES'] ?? 120)
const seed = Number(process.env['GALLEY_KILL_SEED'] ?? 20_261_101)
const rounds = Number(process.env['GALLEY_CARE_KILLS'] ?? 6)
const now = () => new Date()
/** Two days ago: old enough for a collection. */
const longAgo = new Date(Date.now() - 2 * 86_400_000)
const unstopped: CareRun = { signal: new AbortController().signal, onProgress: () => undefined }

/** A listener in another process that accepts one save after another, in four lines, until there have been enough. */
async function savingListener(enough: (saves: number) => boolean) {
  const place = await aLibrary()
  const { prepare, acknowledge } = createSaves(place.service, randomFrom(seed))
  const listener = await startListen(place.library, place.environment)
  const sent: Sent[] = []
  const line = async (materialId: string): Promise<void> => {
    while (!enough(sent.length)) {
      const save = prepare('media', materialId)
      sent.push(save)
      const answer = await post(listener.url, save)
      expect(answer?.json.rc, answer?.text).toBe(1)
      acknowledge(save, answer?.text ?? '')
    }
  }
  const saving = Promise.all(['post/one', 'post/two', 'post/three', 'post/four'].map(line))
  return { ...place, listener, sent, saving }
}

test(`gc and fsck --repair over and over beside a listener of another process lose none of ${savesBeside} saves (seed ${seed})`, async () => {
  let collected = 0
  let checked = 0
  // Saves go on until there were enough of both: fast saves must not end before care has run beside them.
  const { library, listener, sent, saving } = await savingListener(
    (saves) => saves >= savesBeside && collected >= savesBeside / 4,
  )
  const cleaner = await openBeside(library)
  onTestFinished(cleaner.close)
  const over = new AbortController()
  const saved = saving.finally(() => over.abort())
  while (!over.signal.aborted) {
    const collection = await cleaner.care.collect({ dryRun: false, emptyLostAndFound: false }, unstopped)
    if (collection.ok) collected += 1
    else expect(collection.failure.code).toBe('busy')
    if (collected % 10 !== 0) continue
    const check = await cleaner.care.check({ repair: true }, unstopped)
    if (!check.ok) expect.fail(JSON.stringify(check.failure))
    expect(check.value.findings.filter(({ kind }) => kind !== 'orphan_file')).toEqual([])
    checked += 1
    await nextTurn()
  }
  await saved
  for (const save of sent) {
    await expectServed(listener.url, save)
    await expectStored(cleaner, save)
  }
  const end = await cleaner.care.check({ repair: false }, unstopped)
  expect(end).toMatchObject({ ok: true, value: { ok: true, findings: [] } })
  console.log(`${sent.length} saves beside ${collected} collections and ${checked} checks`)
  expect(checked).toBeGreaterThan(0)
})

/** A command that can be run to its end, and be killed in the middle; the middle is where its shortest run had it. */
async function killable(random: () => number, first: readonly string[]) {
  const start = (args: readonly string[]) => {
    const { child, ended } = stream([...args, '--json', '--secrets', 'env'])
    const began = performance.now()
    return { child, ended: ended.then((end) => ({ end, ms: performance.now() - began })) }
  }
  const whole = await start(first).ended
  expect(whole.end).toBe(0)
  let shortestMs = whole.ms
  return {
    /** Whether the kill came before the end. */
    async cutOff(args: readonly string[]): Promise<boolean> {
      const { child, ended } = start(args)
      const timer = setTimeout(() => child.kill('SIGKILL'), shortestMs * (0.35 + 0.6 * random()))
      const { end, ms } = await ended
      clearTimeout(timer)
      if (end === 'SIGKILL') return true
      shortestMs = Math.min(shortestMs, ms)
      return false
    },
  }
}

/** A library with a listener in this process and some megabytes in it; every version is remembered as it was saved. */
async function aFullLibrary() {
  const library = await aCaredLibrary()
  for (let at = 0; at < 12; at += 1) {
    const files = { ...someFiles(`v${at}`), 'film.bin': Buffer.alloc(1_500_000, `film ${at}`) }
    await library.save({ versionId: `v${at}`, versionCdate: new Date(1.7e12 + at).toISOString(), files })
  }
  const check = async (repair = false) => {
    const done = await library.care.check({ repair }, unstopped)
    return done.ok ? done.value : expect.fail(JSON.stringify(done.failure))
  }
  return { ...library, check, outside: await temporaryFolder() }
}

test(`a backup that is killed leaves the earlier one whole (${rounds} times)`, async () => {
  const { folder, outside, care, check } = await aFullLibrary()
  const file = join(outside, 'library.zip')
  const args = ['backup', file, '--library', folder]
  const { cutOff } = await killable(randomFrom(seed), args)
  let cut = 0
  for (let round = 0; round < rounds; round += 1) {
    if (await cutOff(args)) cut += 1
    const restored = await restore({ file, folder: join(outside, `restored-${round}`), now }, unstopped)
    expect(restored).toMatchObject({ ok: true, value: { versions: 12, missing: [], damaged: [] } })
  }
  // Leftovers of the killed ones in staging, and nothing else.
  expect((await check(true)).findings.filter(({ kind }) => kind !== 'staging_leftover')).toEqual([])
  expect(await check()).toMatchObject({ ok: true, findings: [] })
  expect(await care.backUp({ file }, unstopped)).toMatchObject({ ok: true })
  expect((await readdir(outside)).filter((name) => name.endsWith('.galley-tmp'))).toEqual([])
  console.log(`${cut} of ${rounds} backups were cut off`)
  expect(cut).toBeGreaterThan(rounds / 4)
})

test(`a restore that is killed leaves no library or a whole one (${rounds} times)`, async () => {
  const { outside, care } = await aFullLibrary()
  const file = join(outside, 'library.zip')
  expect(await care.backUp({ file }, unstopped)).toMatchObject({ ok: true })
  const { cutOff } = await killable(randomFrom(seed), ['restore', file, '--library', join(outside, 'first')])
  let cut = 0
  for (let round = 0; round < rounds; round += 1) {
    const folder = join(outside, 'again')
    if (await cutOff(['restore', file, '--library', folder])) cut += 1
    if (!existsSync(folder)) continue
    const galley = await openBeside(folder)
    expect(await galley.care.check({ repair: false }, unstopped)).toMatchObject({ value: { ok: true, findings: [] } })
    expect(galley.index.counts()).toEqual({ materials: 1, versions: 12 })
    await galley.close()
    await rm(folder, { recursive: true })
  }
  expect(await restore({ file, folder: join(outside, 'again'), now }, unstopped)).toMatchObject({ ok: true })
  expect((await readdir(outside)).toSorted()).toEqual(['again', 'first', 'library.zip'])
  console.log(`${cut} of ${rounds} restores were cut off`)
  expect(cut).toBeGreaterThan(rounds / 4)
})

test(`a repair that is killed loses nothing, and the next one finishes (${rounds} times)`, async () => {
  const { folder, vault, index, check, rows } = await aFullLibrary()
  const random = randomFrom(seed)
  const kept = new Set(rows('SELECT kept_sha256 AS kept FROM version').map(({ kept }) => kept))
  const harm = async (): Promise<void> => {
    const files = index.blobs.files().filter(({ file }) => !kept.has(file))
    for (const { file } of files.filter(() => random() < 0.4)) await rm(vault.pathOf(file))
    for (const { file } of files.filter(() => random() < 0.2)) await writeFile(vault.pathOf(file), 'harmed')
  }
  await harm()
  const args = ['fsck', '--repair', '--library', folder]
  const { cutOff } = await killable(random, args)
  let cut = 0
  for (let round = 0; round < rounds; round += 1) {
    await harm()
    if (await cutOff(args)) cut += 1
    expect((await check(true)).ok).toBe(true)
    expect(await check()).toMatchObject({ ok: true, findings: [] })
  }
  console.log(`${cut} of ${rounds} repairs were cut off`)
  expect(cut).toBeGreaterThan(rounds / 4)
})

test(`killing gc and prune leaves an intact library (${rounds} times)`, async () => {
  const library = await aFullLibrary()
  const { folder, vault, index, check, save } = library
  const { cutOff } = await killable(randomFrom(seed), ['gc', '--library', folder])
  let cut = 0
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < 6; at += 1) {
      const name = `${round}-${at}`
      await save({
        versionId: name,
        versionCdate: new Date(1.8e12 + round * 100 + at).toISOString(),
        files: someFiles(name),
      })
      const orphan = vault.pathOf(sha(`orphan ${name}`))
      await writeFile(orphan, `orphan ${name}`)
      await utimes(orphan, longAgo, longAgo)
    }
    const args = round % 2 === 0 ? ['gc'] : ['prune', '--keep-versions', '3']
    if (await cutOff([...args, '--library', folder])) cut += 1
    expect(index.materials.find('acme', 'post-1')?.currentVersionId).toBe(`${round}-5`)
    const { findings } = await check()
    expect(findings.filter(({ kind }) => kind !== 'orphan_file')).toEqual([])
  }
  expect(await library.care.collect({ dryRun: false, emptyLostAndFound: false }, unstopped)).toMatchObject({ ok: true })
  expect(await check()).toMatchObject({ ok: true, findings: [] })
  // Nothing is lost that was never referenced.
  expect(await readdir(join(folder, 'lost-and-found'))).toHaveLength(rounds * 6)
  console.log(`${cut} of ${rounds} were cut off`)
  expect(cut).toBeGreaterThan(rounds / 4)
})
