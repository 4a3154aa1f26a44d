/** How evenly the long lists scroll, compared with a static list, which shows what this machine cannot draw in time. */

import { atMost, type Figure } from '../figure.ts'
import { openSection, sectionOf } from './lists.ts'
import type { OpenWindow } from './window.ts'

/** At 60 frames per second, a frame takes 16.7 ms. A longer one is late, or missed one frame or more. */
const lateMs = 20
const longMs = 50
const pixelsAFrame = 90

/** The time between frames, in milliseconds. */
type Frames = readonly number[]

const framesIn = (isQuick: boolean): number => (isQuick ? 120 : 600)

export async function scrollStaticList({ inPage }: OpenWindow, isQuick: boolean): Promise<Frames> {
  await inPage(`bench.repeatRows('Bare', 50)`)
  const frames = await scrolled(inPage, 'Bare', isQuick)
  console.log(`  static list scrolled:     ${inWords(frames)}`)
  return frames
}

export async function measureScrolling(
  window: OpenWindow,
  still: Frames,
  isQuick: boolean,
): Promise<readonly Figure[]> {
  const { inPage } = window
  const figures: Figure[] = []
  for (const list of ['Callbacks', 'Materials']) {
    await openSection(window, sectionOf(list))
    const frames = await scrolled(inPage, list, isQuick)
    const rows = await inPage<number>(`bench.count('${list}')`)
    console.log(`  ${list} scrolled, ${rows} rows: ${inWords(frames)}`)
    const beyond = Math.max(0, lateShare(frames) - lateShare(still))
    figures.push(atMost(`interface: ${list} scrolled, late frames beyond a static list's`, beyond, 5, ' %', 1))
  }
  return figures
}

const scrolled = (inPage: OpenWindow['inPage'], list: string, isQuick: boolean): Promise<Frames> =>
  inPage(`bench.scroll('${list}', ${framesIn(isQuick)}, ${pixelsAFrame})`)

const lateShare = (frames: Frames): number => (frames.filter((ms) => ms > lateMs).length / frames.length) * 100

const inWords = (frames: Frames): string => {
  const over = (limitMs: number): number => frames.filter((ms) => ms > limitMs).length
  const longest = Math.round(Math.max(...frames))
  return `of ${frames.length} frames ${over(lateMs)} over ${lateMs} ms, ${over(longMs)} over ${longMs} ms, longest ${longest} ms`
}
