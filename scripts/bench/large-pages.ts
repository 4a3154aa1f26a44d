/** Pages of 8 MB that consist of references: processor time of the archive thread, and memory. */

import { readdirSync, readFileSync, rmSync } from 'node:fs'

import { atMost, type Figure } from './figure.ts'
import { peakMb, residentMb, resetPeak } from './memory.ts'
import { makeSave, mediaName } from './save.ts'
import { warmUp, withStage, type BenchOptions, type Stage } from './stage.ts'
import { onALine } from './statistics.ts'

const files = 50
const pageBytes = 8 * 1024 ** 2

/** What a page is made of: what comes before, pieces that each name a file, and what comes after. */
const kinds: Readonly<Record<string, readonly [before: string, piece: string, after: string]>> = {
  images: ['', '<img src="dummy-NAME" alt="">', ''],
  'images among words, Latin': ['', '<p>Some words <img src="dummy-NAME" alt=""> and some more</p>', ''],
  'images among words, Cyrillic': ['', '<p>Здесь слова <img src="dummy-NAME" alt=""> и ещё слова</p>', ''],
  'images with a query': ['', '<img src="dummy-NAME?width=1&amp;height=2" alt="">', ''],
  srcset: ['', '<img srcset="dummy-NAME 1x, dummy-NAME 2x" alt="">', ''],
  'style attributes': ['', '<i style="background:url(dummy-NAME)"></i>', ''],
  'JSON in attributes': ['', '<i data-state="{&quot;src&quot;:&quot;dummy-NAME&quot;}"></i>', ''],
  'one style sheet': ['<style>', 'a{background:url("dummy-NAME")}', '</style>'],
  'one JSON script': ['<script type="application/json">[', '"dummy-NAME",', '""]</script>'],
  'many JSON scripts': ['', '<script type="application/json">["dummy-NAME"]</script>', ''],
}

export async function benchLargePages(options: BenchOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  console.log('8 MB of references')
  for (const kind of Object.keys(kinds)) {
    figures.push(...(await withStage(options, (stage) => measure(stage, kind, options.isQuick ? 3 : 7))))
  }
  return figures
}

/** Time is the lowest of several saves, since other work on the machine only adds to it; memory is that of the first one. */
async function measure(stage: Stage, kind: string, runs: number): Promise<readonly Figure[]> {
  const { listener, archives } = stage
  const idle = residentMb(listener.processId)
  await warmUp(stage)
  const canReset = resetPeak(listener.processId)
  const times: number[] = []
  const peaks: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const save = makeSave(archives, `page-${run}`, {
      files,
      fileBytes: 1024,
      method: 'deflated',
      html: pageOf(kind),
    })
    const before = threadMs(listener.processId)
    await stage.accepted(save)
    const spent = [...threadMs(listener.processId)].map(([id, ms]) => ms - (before.get(id) ?? 0))
    times.push(Math.max(...spent))
    peaks.push((canReset ? peakMb(listener.processId) : null) ?? NaN)
    rmSync(save.archiveFile)
  }
  const [first = NaN] = peaks.map((peak) => peak - (idle ?? NaN))
  console.log(
    `  ${kind}, ms: ${onALine(times)}; peak after each, MB: ${onALine(peaks)}; idle ${onALine([idle ?? NaN])}`,
  )
  return [
    atMost(`8 MB page, ${kind}: processor time`, Math.min(...times) / 1000, 1, ' s', 2),
    atMost(`8 MB page, ${kind}: above idle`, Number.isNaN(first) ? null : first, 200, ' MB'),
  ]
}

function pageOf(kind: string): string {
  const [before = '', piece = '', after = ''] = kinds[kind] ?? []
  const turn = Array.from({ length: files }, (_, at) => piece.replaceAll('NAME', mediaName(at))).join('')
  return before + turn.repeat(Math.ceil(pageBytes / Buffer.byteLength(turn))) + after
}

/** The processor time of every thread but the main one, by its id. */
function threadMs(processId: number): ReadonlyMap<string, number> {
  const tasks = `/proc/${processId}/task`
  return new Map(
    readdirSync(tasks)
      .filter((id) => id !== String(processId))
      .map((id) => [id, Number(readFileSync(`${tasks}/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6]),
  )
}
