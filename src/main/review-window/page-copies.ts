import type { WebContents } from 'electron'
import { z } from 'zod'

import type { WholePicture } from '../review/png.ts'
import { wholePageReady } from './capture.ts'

/** Takes something of a loaded page; null if that fails. */
export type Take<Out = Uint8Array> = (webContents: WebContents) => Promise<Out | null>

/** Far below the largest texture, above which Chromium repeats the top of a page. */
const sliceHeight = 2_000
/** A longer page is cut: many programs cannot open a larger picture. */
const pictureMaxHeight = 40_000

/** Chromium's responses. */
const screenshot = z.object({ data: z.string() })
const metrics = z.object({ cssContentSize: z.object({ width: z.number().min(1), height: z.number().min(1) }) })

interface Clip {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly scale: number
}

/** A part of a page as PNG, also below its screen. */
export async function screenshotOf({ debugger: chromium }: WebContents, clip: Clip): Promise<Buffer> {
  if (!chromium.isAttached()) chromium.attach()
  const isBelow = clip.y > 0 || clip.height > 800
  const taken: unknown = await chromium.sendCommand('Page.captureScreenshot', {
    format: 'png',
    captureBeyondViewport: isBelow,
    clip,
  })
  return Buffer.from(screenshot.parse(taken).data, 'base64')
}

/** All of a page on paper. */
export const toPdf: Take = async (webContents) => {
  await wholePageReady(webContents)
  return webContents.printToPDF({ printBackground: true, pageSize: 'A4' })
}

/** Takes the page in slices, one below the other. */
export const takeWhole: Take<WholePicture> = async (webContents) => {
  const { debugger: chromium } = webContents
  chromium.attach()
  await wholePageReady(webContents)
  const { cssContentSize } = metrics.parse(await chromium.sendCommand('Page.getLayoutMetrics'))
  const [width, rows] = [Math.ceil(cssContentSize.width), Math.ceil(cssContentSize.height)]
  const height = Math.min(pictureMaxHeight, rows)
  const slices: Uint8Array[] = []
  for (let y = 0; y < height; y += sliceHeight)
    slices.push(
      await screenshotOf(webContents, { x: 0, y, width, height: Math.min(sliceHeight, height - y), scale: 1 }),
    )
  return { width, height, slices, isCut: rows > height }
}
