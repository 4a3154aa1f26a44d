import type { ElectronApplication } from 'playwright'
import { expect, test } from 'vitest'

import type { BlockPlace, Change } from '../../packages/compare/index.ts'
import { blockPairs, changesOf, readPage } from '../../packages/compare/index.ts'
import { captureIn } from '../../src/main/review-window/capture.ts'
import type { CapturedPage } from '../../src/main/review/compare-pictures.ts'
import { comparePictures } from '../../src/main/review/compare-pictures.ts'
import { decodePng } from '../../src/main/review/png.ts'
import { randomFrom } from '../support/random.ts'
import { aFolder, startApp } from './support/app.ts'
import type { PlantedPair } from './support/planted-pairs.ts'
import { plantedKinds, plantedPair } from './support/planted-pairs.ts'

/** Pairs with a planted change; a quarter of them more are equal. `GALLEY_PIXEL_FROM=80` begins after the first 80. */
const pairs = Number(process.env['GALLEY_PIXEL_PAIRS'] ?? '8')
const from = Number(process.env['GALLEY_PIXEL_FROM'] ?? '0')
const widths = [1280, 820, 390] as const

/** A window of the app that nobody sees, as main has it: capture works on it from here. */
async function aWindow(app: ElectronApplication, html: string) {
  const id = await app.evaluate(async ({ BrowserWindow }, html) => {
    const window = new BrowserWindow({
      width: 1280,
      height: 900,
      useContentSize: true,
      show: false,
      webPreferences: { partition: 'planted', offscreen: true, javascript: false, imageAnimationPolicy: 'noAnimation' },
    })
    await window.loadURL(`data:text/html;charset=utf-8;base64,${html}`)
    return window.id
  }, Buffer.from(html).toString('base64'))
  const ask = (method: string, given: readonly unknown[]): Promise<unknown> =>
    app.evaluate(
      ({ BrowserWindow }, [id, method, given]) => {
        const window = BrowserWindow.fromId(id)
        const owners = { window, contents: window?.webContents, debugger: window?.webContents.debugger }
        const [owner = '', name = ''] = method.split('.')
        const of = owners[owner as keyof typeof owners] as unknown as Record<string, (...given: unknown[]) => unknown>
        return of[name]?.(...given)
      },
      [id, method, given] as const,
    )
  const call =
    (method: string) =>
    (...given: readonly unknown[]) =>
      ask(method, given)
  const window = {
    setContentSize: (width: number, height: number) => void ask('window.setContentSize', [width, height]),
    webContents: {
      insertCSS: call('contents.insertCSS'),
      executeJavaScriptInIsolatedWorld: call('contents.executeJavaScriptInIsolatedWorld'),
      debugger: { attach: call('debugger.attach'), sendCommand: call('debugger.sendCommand') },
    },
  } as unknown as Electron.BrowserWindow
  return {
    capture: await captureIn(window),
    ask: (code: string) => ask('contents.executeJavaScriptInIsolatedWorld', [5, [{ code }]]),
    close: () => ask('window.destroy', []),
  }
}

type Box = readonly [x: number, y: number, width: number, height: number]

/** Where the oracle finds the elements that it knows: by their ids. */
const boxesOf = async (window: Awaited<ReturnType<typeof aWindow>>, ids: readonly string[]) =>
  (await window.ask(`(() => { scrollTo(0, 0); return ${JSON.stringify(ids)}.map((id) => {
    const rect = document.getElementById(id)?.getBoundingClientRect();
    return rect ? [rect.x, rect.y, rect.width, rect.height].map(Math.round) : null; }); })()`)) as readonly (Box | null)[]

/** The ids of elements at these places, with those in them or around them. */
const idsAt = async (window: Awaited<ReturnType<typeof aWindow>>, places: readonly BlockPlace[]) =>
  (await window.ask(`${JSON.stringify(places.map(({ path }) => path))}.map((path) => {
    let element = document.documentElement;
    for (const at of path) element = element?.children[at];
    const own = element?.closest('[id]');
    return own ? [own.id] : [...(element?.querySelectorAll('[id]') ?? [])].map(({ id }) => id); })`)) as readonly (readonly string[])[]

function bitmapOf({ width, height, slices }: CapturedPage) {
  const data = new Uint8Array(width * height * 4)
  for (const { top, png } of slices) {
    const picture = decodePng(png)
    data.set(picture.data.subarray(0, Math.min(picture.height, height - top) * width * 4), top * width * 4)
  }
  return { width, height, data }
}
type Bitmap = ReturnType<typeof bitmapOf>

/** Pixels that differ in an element at its two places, each by the largest difference of a colour, and what one has more. */
function differing(one: Bitmap, other: Bitmap, from: Box, to: Box): number {
  const [wide, high] = [Math.min(from[2], to[2]), Math.min(from[3], to[3])]
  let count = 0
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1) {
      const a = ((from[1] + y) * one.width + from[0] + x) * 4
      const b = ((to[1] + y) * other.width + to[0] + x) * 4
      const far = Math.max(...[0, 1, 2].map((at) => Math.abs((one.data[a + at] ?? 0) - (other.data[b + at] ?? 0))))
      if (far > 12) count += 1
    }
  return count + (to[2] * to[3] - wide * high)
}

/** The share that the oracle expects: of what was planted alone, since it moved nothing else but in height. */
function expectedShare(
  pair: PlantedPair,
  [one, other]: readonly [Bitmap, Bitmap],
  boxes: readonly (readonly (Box | null)[])[],
) {
  let [changed, removed] = [0, 0]
  for (const id of pair.planted) {
    const at = pair.ids.indexOf(id)
    const [from, to] = [boxes[0]?.[at] ?? null, boxes[1]?.[at] ?? null]
    if (from !== null && to !== null) changed += pair.kind === 'move' ? 0 : differing(one, other, from, to)
    else if (to !== null) changed += to[2] * to[3]
    else if (from !== null) removed += from[2] * from[3]
  }
  return (changed + removed) / (other.width * other.height + removed)
}

const counted = { pairs: 0, marks: 0, elsewhere: 0, missed: [] as string[], furthest: 0, equal: 0 }

async function judge(app: ElectronApplication, pair: PlantedPair, name: string, width: number): Promise<void> {
  const [one, other] = [readPage(pair.before, () => null), readPage(pair.after, () => null)]
  const [blocks, changes] = [blockPairs(one, other), changesOf(one, other)]
  const [old, now] = await Promise.all([aWindow(app, pair.before), aWindow(app, pair.after)])
  const before = await old.capture.at(
    width,
    blocks.flatMap(({ before }) => before ?? []),
  )
  const after = await now.capture.at(
    width,
    blocks.flatMap(({ after }) => after ?? []),
  )
  const { isEqual, changed, total, looks } = await comparePictures({ before, after, pairs: blocks, changes })
  const marks: readonly Change[] = [...changes, ...looks]
  if (pair.kind === null) {
    expect([isEqual, marks], name).toEqual([true, []])
    counted.equal += 1
  } else {
    const places = await Promise.all(
      marks.map(({ kind, from, to }) => (kind === 'removed' ? idsAt(old, from) : idsAt(now, to))),
    )
    const marked = places.map((each) => each.flat())
    for (const id of pair.planted) if (!marked.some((ids) => ids.includes(id))) counted.missed.push(`${name}: ${id}`)
    const elsewhere = marked.filter((ids) => !ids.some((id) => pair.planted.includes(id)))
    counted.marks += marks.length
    counted.elsewhere += elsewhere.length
    const boxes = [await boxesOf(old, pair.ids), await boxesOf(now, pair.ids)]
    const share = expectedShare(pair, [bitmapOf(before), bitmapOf(after)], boxes)
    const far = Math.abs(changed / total - share)
    counted.furthest = Math.max(counted.furthest, far)
    counted.pairs += 1
    if (far > 0.001 || elsewhere.length > 0)
      console.log(
        name,
        `share ${(changed / total).toFixed(4)}, expected ${share.toFixed(4)}`,
        JSON.stringify(elsewhere),
        JSON.stringify(marks.map(({ kind, after }) => [kind, after?.slice(0, 30)])),
      )
  }
  await Promise.all([old.close(), now.close()])
}

test('pixels tell what was planted, and nothing in equal pages', async () => {
  const { app, close } = await startApp({ library: await aFolder() })
  for (let at = from; at < from + pairs; at += 1) {
    const kind = plantedKinds[at % plantedKinds.length] ?? null
    await judge(
      app,
      plantedPair(randomFrom(at + 1), kind),
      `pair ${at + 1}, ${kind}`,
      widths[at % widths.length] ?? 1280,
    )
  }
  for (let at = from / 4; at < (from + pairs) / 4; at += 1)
    await judge(
      app,
      plantedPair(randomFrom(1000 + at), null),
      `equal pair ${at + 1}`,
      widths[at % widths.length] ?? 1280,
    )
  await close()
  if (process.env['GALLEY_PIXEL_PAIRS'] !== undefined) console.log(JSON.stringify(counted))
  expect(counted.missed).toEqual([])
  expect(counted.elsewhere / counted.marks).toBeLessThanOrEqual(0.05)
  expect(counted.furthest).toBeLessThanOrEqual(0.001)
})
