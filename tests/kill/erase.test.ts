import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { stream } from '../cli/support/cli.ts'
import { aCaredLibrary, aRun, reportOf } from '../library/care/library.ts'
import { openGalley } from '../support/open-galley.ts'
import { randomFrom } from '../support/random.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { traces } from '../support/traces.ts'

const ada = 'ada.l@example.test'
const seed = Number(process.env['GALLEY_KILL_SEED'] ?? 20_261_101)
const rounds = Number(process.env['GALLEY_CARE_KILLS'] ?? 6)

/** Runs the erase command and kills it after some time. Returns how it ended and how long it ran. */
async function eraseIn(folder: string, killAfterMs: number | null) {
  const { child, ended } = stream(['erase', ada, '--json', '--secrets', 'env', '--library', folder])
  const began = performance.now()
  const timer = killAfterMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const end = await ended
  clearTimeout(timer)
  return { end, ms: performance.now() - began }
}

async function expectWhole(folder: string): Promise<void> {
  const galley = await openGalley({ folder })
  try {
    const { findings } = await reportOf(galley.care.check({ repair: false }, aRun()))
    // The file that was being written when the process died.
    expect(findings.filter(({ kind }) => kind !== 'staging_leftover' && kind !== 'orphan_file')).toEqual([])
    expect(galley.index.counts()).toEqual({ materials: 1, versions: 24 })
  } finally {
    await galley.close()
  }
}

test(`an erase that is killed leaves a whole library, and the next one finishes it (${rounds} times)`, async () => {
  const library = await aCaredLibrary()
  for (let at = 0; at < 24; at += 1) {
    const email = at % 2 === 0 ? ada : 'bob@example.test'
    const versionCdate = new Date(1.7e12 + at).toISOString()
    await library.save({ versionId: `v${at}`, versionCdate, metadata: { user_email: email, by: email } })
  }
  await library.close()
  const random = randomFrom(seed)
  const place = await temporaryFolder()
  let cut = 0
  let wholeMs = 0
  for (let round = 0; round <= rounds; round += 1) {
    const folder = join(place, String(round))
    await cp(library.folder, folder, { recursive: true })
    if (round > 0) {
      const { end } = await eraseIn(folder, wholeMs * (0.3 + 0.6 * random()))
      if (end === 'SIGKILL') cut += 1
      await expectWhole(folder)
    }
    const { end, ms } = await eraseIn(folder, null)
    expect(end).toBe(0)
    if (round === 0) wholeMs = ms
    expect(await readdir(join(folder, 'staging'))).toEqual([])
    expect(await traces(folder, ada)).toEqual([])
    await expectWhole(folder)
  }
  console.log(`${cut} of ${rounds} erases were cut off`)
  expect(cut).toBeGreaterThan(rounds / 4)
})
