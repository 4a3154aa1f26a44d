/** Saves of 50 KB at the emulator: saves per second compared with a bare server, and memory growth over ten thousand saves. */

import { withBareService, withEmulator, withOthers, type Others } from './emulator-stage.ts'
import { atLeast, atMost, type Figure } from './figure.ts'
import { residentMb } from './memory.ts'
import { canPin } from './pinned.ts'
import type { BenchOptions } from './stage.ts'
import { median, onALine } from './statistics.ts'

export function benchEmulatorSaves(options: BenchOptions): Promise<readonly Figure[]> {
  const cores = canPin ? 'the service on one core, the rest on another' : 'on any core: this system pins no process'
  console.log(`Emulator, saves of 50 KB, ${cores}`)
  return withOthers(async (others) => [await speed(others, options), await memory(others, options)])
}

function speed(others: Others, { isQuick, nodeFlags }: BenchOptions): Promise<Figure> {
  const saves = isQuick ? 200 : 500
  return withEmulator(others, nodeFlags, (emulator) =>
    withBareService(others, async (bare) => {
      const aSecond = async (addresses: readonly string[]): Promise<number> =>
        (saves * 1000) / (await others.save({ saves, addresses }))
      // The first saves run code that is not compiled yet.
      await aSecond(emulator.addresses)
      await aSecond(bare.addresses)
      const ours: number[] = []
      const theirs: number[] = []
      const turns = [
        async () => void ours.push(await aSecond(emulator.addresses)),
        async () => void theirs.push(await aSecond(bare.addresses)),
      ]
      for (let run = 0; run < (isQuick ? 3 : 9); run += 1) {
        for (const turn of run % 2 === 0 ? turns : turns.toReversed()) await turn()
      }
      console.log(`  emulator, a second:    ${onALine(ours)}`)
      console.log(`  bare server, a second: ${onALine(theirs)}`)
      return atLeast('emulator: saves a second against a bare server', median(ours) / median(theirs), 0.7, 'x', 2)
    }),
  )
}

function memory(others: Others, { isQuick, nodeFlags }: BenchOptions): Promise<Figure> {
  const [early, late] = isQuick ? [300, 1_500] : [1_000, 10_000]
  return withEmulator(others, nodeFlags, async ({ addresses, processId }) => {
    await others.save({ saves: early, addresses })
    const before = residentMb(processId)
    await others.save({ saves: late - early, addresses })
    const after = residentMb(processId)
    const shown = [before, after].map((value) => value?.toFixed(0) ?? '?')
    console.log(`  memory, MB:            ${shown[0]} at save ${early}, ${shown[1]} at save ${late}`)
    const growth = before === null || after === null ? null : after - before
    return atMost(`emulator: memory at save ${late} above save ${early}`, growth, 20, ' MB')
  })
}
