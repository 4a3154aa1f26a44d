import { watch } from 'node:fs'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { indexBeforeLog } from '../../src/main/library/db/before-log/convert.ts'
import { redactArchives } from '../../src/main/use-cases/care/redact-archives.ts'
import { stream } from '../cli/support/cli.ts'
import { aRun, reportOf } from '../main/use-cases/care/library.ts'
import { aLibraryBeforeLog, portsForRedacting } from '../support/before-log.ts'
import { openGalley } from '../support/open-galley.ts'
import { randomFrom } from '../support/random.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { traces } from '../support/traces.ts'

const seed = Number(process.env['GALLEY_KILL_SEED'] ?? 20_261_101)
const rounds = Number(process.env['GALLEY_CARE_KILLS'] ?? 6)
const versions = 60

/** Listens, and dies after this many files of the library were added or removed. */
async function listenIn(folder: string, killAfterFiles: number): Promise<void> {
  let seen = 0
  const enough = Promise.withResolvers<void>()
  const onFile = (): void => {
    seen += 1
    if (seen === killAfterFiles) enough.resolve()
  }
  const shards = await readdir(join(folder, 'files'))
  const watchers = shards.map((shard) => watch(join(folder, 'files', shard), onFile))
  const { child, ended } = stream(['listen', '--json', '--port', '0', '--secrets', 'env', '--library', folder])
  await enough.promise
  child.kill('SIGKILL')
  await ended
  for (const watcher of watchers) watcher.close()
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
    for (let round = 0; round < rounds; round += 1) {
      const folder = join(place, String(round))
      await cp(library.folder, folder, { recursive: true })
      await listenIn(folder, 1 + Math.floor(random() * versions))
      const galley = await openGalley({ folder })
      if (galley.index.unredactedArchives.behind('', 1).length > 0) cut += 1
      await redactArchives(portsForRedacting(galley), new AbortController().signal)
      const { findings } = await reportOf(galley.care.check({ repair: false }, aRun()))
      // The file that was being written when the process died.
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
