import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { redactArchives } from '../../src/main/care/redact-archives.ts'
import { indexBeforeLog } from '../../src/main/db/before-log/convert.ts'
import { startListen } from '../cli/support/cli.ts'
import { aRun, reportOf } from '../main/care/library.ts'
import { aLibraryBeforeLog, portsForRedacting } from '../support/before-log.ts'
import { openGalley } from '../support/open-galley.ts'
import { randomFrom } from '../support/random.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { traces } from '../support/traces.ts'

const seed = Number(process.env['GALLEY_KILL_SEED'] ?? 20_261_101)
const rounds = Number(process.env['GALLEY_CARE_KILLS'] ?? 6)
const versions = 60

/** Listens until credentials are removed, or dies some time after it has begun to listen; gives how long that took. */
async function listenIn(folder: string, killAfterMs: number | null): Promise<number> {
  const { child, ended, says } = await startListen(folder, {}, { args: ['--port', '0', '--secrets', 'env'] })
  const began = performance.now()
  if (killAfterMs === null) await says('credentials were removed')
  const ms = performance.now() - began
  if (killAfterMs !== null) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  else child.kill('SIGTERM')
  await ended
  return ms
}

test(
  `a listener that is killed while it redacts archives loses nothing, and the work goes on later (${rounds} times)`,
  { timeout: 120_000 + rounds * 20_000 },
  async () => {
    const library = await aLibraryBeforeLog(versions)
    await (await openGalley({ folder: library.folder })).close()
    const random = randomFrom(seed)
    const place = await temporaryFolder()
    let cut = 0
    let wholeMs = 0
    for (let round = 0; round <= rounds; round += 1) {
      const folder = join(place, String(round))
      await cp(library.folder, folder, { recursive: true })
      const ms = await listenIn(folder, round === 0 ? null : wholeMs * random())
      if (round === 0) wholeMs = ms
      const galley = await openGalley({ folder })
      if (galley.index.unredactedArchives.behind('', 1).length > 0) cut += 1
      await redactArchives(portsForRedacting(galley), new AbortController().signal)
      const { findings } = await reportOf(galley.care.check({ repair: false }, aRun()))
      // What was being written when the process died.
      expect(findings.filter(({ kind }) => kind !== 'staging_leftover' && kind !== 'orphan_file')).toEqual([])
      expect(galley.index.counts()).toEqual({ materials: 2, versions: versions + 1 })
      for (const { keptSha256, archiveSha256 } of galley.index.versions.list('acme', 'post-1'))
        expect(keptSha256).not.toBe(archiveSha256)
      await galley.close()
      for (const token of [library.tokens[0], library.tokens.at(-1)])
        expect(await traces(folder, token ?? '')).toEqual([indexBeforeLog])
    }
    console.log(`${cut} of ${rounds} were cut off`)
    expect(cut).toBeGreaterThan(rounds / 4)
  },
)
