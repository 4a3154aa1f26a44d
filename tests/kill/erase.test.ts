import { expect, test } from 'vitest'

import { stream } from '../cli/support/cli.ts'
import { aCaredLibrary } from '../main/care/library.ts'
import { randomFrom } from '../support/random.ts'
import { traces } from '../support/traces.ts'

const ada = 'ada.l@example.test'
const seed = Number(process.env['GALLEY_KILL_SEED'] ?? 20_261_101)
const rounds = Number(process.env['GALLEY_CARE_KILLS'] ?? 6)

test(
  `an erase that is killed beside a listener leaves a whole library, and the next one finishes it (${rounds} times)`,
  { timeout: 30_000 + rounds * 10_000 },
  async () => {
    const library = await aCaredLibrary()
    const random = randomFrom(seed)
    const args = ['erase', ada, '--json', '--secrets', 'env', '--library', library.folder]
    const run = async (killAfterMs: number | null) => {
      const { child, ended } = stream(args)
      const began = performance.now()
      const timer = killAfterMs === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
      const end = await ended
      if (timer) clearTimeout(timer)
      return { end, ms: performance.now() - began }
    }
    const saveAs = async (email: string, name: string) => {
      const versionCdate = new Date(1.7e12 + Number(name.split('-')[1])).toISOString()
      await library.save({ versionId: name, versionCdate, metadata: { user_email: email, by: email } })
    }
    let versions = 0
    let cut = 0
    let wholeMs = 0
    for (let round = 0; round <= rounds; round += 1) {
      for (let at = 0; at < 6; at += 1) {
        versions += 1
        await saveAs(at % 2 === 0 ? ada : 'bob@example.test', `v-${versions}`)
      }
      if (round > 0) {
        const { end } = await run(wholeMs * (0.4 + 0.6 * random()))
        if (end === 'SIGKILL') cut += 1
        const check = await library.care.check({ repair: false }, aRun())
        expect(check).toMatchObject({ ok: true })
        const findings = check.ok ? check.value.findings : []
        expect(findings.filter(({ kind }) => kind !== 'staging_leftover' && kind !== 'orphan_file')).toEqual([])
      }
      const { end, ms } = await run(null)
      expect(end).toBe(0)
      wholeMs = ms
      expect(await traces(library.folder, ada)).toEqual([])
      expect(library.rows('SELECT count(*) AS n FROM version WHERE user_email IS NOT NULL')).toEqual([
        { n: versions / 2 },
      ])
      expect(library.index.counts().versions).toBe(versions)
    }
    console.log(`${cut} of ${rounds} erases were cut off`)
    expect(cut).toBeGreaterThan(rounds / 4)
  },
)

const aRun = () => ({ signal: new AbortController().signal, onProgress: () => undefined })
