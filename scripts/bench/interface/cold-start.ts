/** The time from the start to a usable list, compared with a window that shows static HTML. */

import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { appCommand } from '../../runtime/app-command.ts'
import { startService, stopService } from '../../runtime/processes.ts'
import { atMost, type Figure } from '../figure.ts'
import { median, onALine } from '../statistics.ts'
import { bareApp, environmentOf, galleyOn, type App, type Machine } from './window.ts'

const startLimitMs = 30_000

export async function measureColdStart(machine: Machine, library: string, isQuick: boolean): Promise<Figure> {
  const ours: number[] = []
  const theirs: number[] = []
  const turns = [
    async () => void ours.push(await usableAfterMs(machine, galleyOn(library))),
    async () => void theirs.push(await usableAfterMs(machine, bareApp)),
  ]
  // The first start of either reads Electron from the disk, later ones find it in memory.
  for (const turn of turns) await turn()
  ours.length = theirs.length = 0
  for (let run = 0; run < (isQuick ? 3 : 9); run += 1) {
    for (const turn of run % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  console.log(`  usable list after, ms:    ${onALine(ours)}`)
  console.log(`  static HTML after, ms:    ${onALine(theirs)}`)
  return atMost('interface: cold start against static HTML', median(ours) / median(theirs), 1.5, 'x', 2)
}

/** From the start of an app to the line that usable.cjs prints. */
async function usableAfterMs(machine: Machine, [folder, ...args]: App): Promise<number> {
  const [executable, ...switches] = appCommand(machine.electron, machine.display, folder)
  const start = Date.now()
  const child = startService(
    executable,
    [...switches, ...args],
    ['ignore', 'pipe', 'inherit'],
    environmentOf(machine, folder),
  )
  try {
    if (child.stdout === null) throw new Error('The app has no output')
    const said = once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(startLimitMs) })
    const [line] = (await said) as [string]
    return Number(line.split(' ')[1]) - start
  } finally {
    await stopService(child)
  }
}
