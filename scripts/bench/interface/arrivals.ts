/** How soon a save appears in the window's list after the app's listener has stored it. */

import { setTimeout as delay } from 'node:timers/promises'

import { atMost, type Figure } from '../figure.ts'
import { callBack } from '../listener.ts'
import { makeSave } from '../save.ts'
import type { Stage } from '../stage.ts'
import { median, onALine } from '../statistics.ts'
import { openSection } from './lists.ts'
import type { OpenWindow } from './window.ts'

const listeningLimitMs = 10_000

/** Measured from the answer, which the listener sends a few milliseconds after its commit. */
export async function measureArrivals(
  window: OpenWindow,
  { archives, serviceUrl }: Pick<Stage, 'archives' | 'serviceUrl'>,
  isQuick: boolean,
): Promise<Figure> {
  const url = await listenerUrl(window)
  await openSection(window, 'Delivery')
  await openSection(window, 'Materials')
  const times: number[] = []
  for (let run = 0; run < (isQuick ? 3 : 9); run += 1) {
    const materialId = `arrival-${run}`
    const save = makeSave(archives, materialId, { files: 3, fileBytes: 16 * 1024, method: 'deflated' })
    const shown = window.inPage<number>(
      `bench.when(() => bench.rows('Materials').some((row) => row.textContent.includes('${materialId}')))`,
    )
    const { rc, rm } = await callBack(url, serviceUrl, save)
    const answered = Date.now()
    if (rc !== 1) throw new Error(`A save was not taken: ${String(rm)}`)
    times.push(Math.max(0, (await shown) - answered))
  }
  console.log(`  save shown after, ms:                ${onALine(times)}`)
  return atMost('interface: a save shown after its answer', median(times), 200, ' ms')
}

/** The address of the app's listener, once it listens. */
async function listenerUrl({ inPage }: OpenWindow): Promise<string> {
  const deadline = Date.now() + listeningLimitMs
  while (Date.now() < deadline) {
    const { kind, url } = await inPage<{ kind: string; url?: string }>(`galley.call('listenerState')`)
    if (kind === 'listening' && url !== undefined) return url
    await delay(20)
  }
  throw new Error('The listener of the app did not start')
}
