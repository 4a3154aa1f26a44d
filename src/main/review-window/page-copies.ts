import { nativeImage } from 'electron'
import type { WebContents } from 'electron'
import { z } from 'zod'

/** Takes something of a loaded page; null if that fails. */
export type Take<Out = Uint8Array> = (webContents: WebContents) => Promise<Out | null>

/** All of a page: on paper, or as one picture. */
export type PageCopy = 'pdf' | 'png'

/** Far below the largest texture, above which Chromium repeats the top of a page. */
const sliceHeight = 2_000
/** A longer page is cut: its picture would take more memory than some computers have. */
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

const toPdf: Take = (webContents) => webContents.printToPDF({ printBackground: true, pageSize: 'A4' })

/** Takes the page in slices, one below the other. */
const toPng: Take = async (webContents) => {
  const { debugger: chromium } = webContents
  chromium.attach()
  const { cssContentSize } = metrics.parse(await chromium.sendCommand('Page.getLayoutMetrics'))
  const [width, height] = [
    Math.ceil(cssContentSize.width),
    Math.min(pictureMaxHeight, Math.ceil(cssContentSize.height)),
  ]
  const slices: Buffer[] = []
  for (let y = 0; y < height; y += sliceHeight) {
    const clip = { x: 0, y, width, height: Math.min(sliceHeight, height - y), scale: 1 }
    const image = nativeImage.createFromBuffer(await screenshotOf(webContents, clip))
    const size = image.getSize()
    if (size.width !== clip.width || size.height !== clip.height) return null
    slices.push(image.toBitmap())
  }
  return nativeImage.createFromBitmap(Buffer.concat(slices), { width, height }).toPNG()
}

export const copiers: Readonly<Record<PageCopy, Take>> = { pdf: toPdf, png: toPng }
