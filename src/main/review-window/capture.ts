import { withTimeLimit } from '@galley/platform'
import type { BrowserWindow, WebContents } from 'electron'
import { z } from 'zod'

import type { Capture, CapturedSlice } from '../review/compare-pictures.ts'
import { pagePaths } from './page-paths.ts'

/** A page is captured screen by screen: a larger view would change lengths that depend on its height. */
const screenRows = 900
/** More rows of a page are not captured: 4 bytes a pixel of two pages have to be in memory at once. */
const rowsAtMost = 20_000
/** Pictures and fonts that are not there by then are missing in the capture too. */
const readyWithinMs = 10_000

/** An isolated world: its script runs although the page may run none. */
const isolatedWorld = 999

const screenshot = z.object({ data: z.string() })
const rect = z.tuple([z.number(), z.number(), z.number(), z.number(), z.boolean()]).nullable()
const measured = z.object({ height: z.number(), hasLayer: z.boolean(), rects: z.array(rect) })

/** What stands still, and is the same in every capture. */
const stillSheet = `html { scrollbar-width: none !important }
*, ::before, ::after { transition: none !important; scroll-behavior: auto !important; caret-color: transparent !important;
  background-attachment: scroll !important }`

/**
 * What runs in a captured page, a string since main has no types of a document. Animations stand at their end, films at their
 * first frame. What sticks is where it would be without scrolling; what is fixed is shown in a picture of its own.
 */
const script = `(() => {
  const changed = [];
  const change = (element, name, value) => {
    changed.push([element, name, element.style.getPropertyValue(name), element.style.getPropertyPriority(name)]);
    element.style.setProperty(name, value, 'important');
  };
  let fixed = [];
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
  const still = () => {
    for (const animation of document.getAnimations()) {
      try { animation.finish(); } catch { animation.pause(); animation.currentTime = 0; }
    }
    for (const svg of document.querySelectorAll('svg')) { svg.pauseAnimations(); svg.setCurrentTime(0); }
  };
  const paths = ${pagePaths};
  const rectOf = ({ path, run }, height) => {
    const element = paths.at(path);
    if (!element) return null;
    const range = paths.range(element, run);
    let box = (run === null ? element : range).getBoundingClientRect();
    if (box.width === 0 || box.height === 0) box = range.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return null;
    const isFixed = fixed.some((each) => each.contains(element));
    return [box.left + scrollX, box.top + (isFixed ? height : scrollY), box.width, box.height, isFixed];
  };
  return {
    async measure(places) {
      for (const [element, name, value, priority] of changed.splice(0).reverse())
        element.style.setProperty(name, value, priority);
      scrollTo(0, 0);
      await frames();
      fixed = [];
      for (const element of document.querySelectorAll('body, body *')) {
        const { position } = getComputedStyle(element);
        if (position === 'sticky') { change(element, 'position', 'relative'); change(element, 'inset', 'auto'); }
        if (position === 'fixed') fixed.push(element);
      }
      still();
      await frames();
      const height = Math.max(document.documentElement.scrollHeight, innerHeight);
      return { height, hasLayer: fixed.length > 0, rects: places.map((place) => rectOf(place, height)) };
    },
    async scroll(y, hasLayer) {
      if (fixed.length > 0) for (const element of fixed)
        element.style.setProperty('opacity', hasLayer ? '' : '0', 'important');
      scrollTo(0, y);
      await frames();
      return scrollY;
    },
  };
})()`

/** Loads what a page would load only when it is scrolled to, and waits for it, for fonts and for films. */
const readyScript = `(async () => {
  for (const image of document.images) { image.loading = 'eager'; image.decoding = 'sync'; }
  await document.fonts.ready;
  await Promise.allSettled([...document.images].map((image) => image.decode()));
  await Promise.allSettled([...document.querySelectorAll('video')].map((video) => new Promise((done) => {
    if (video.readyState >= 2 || video.networkState === 3 || !(video.currentSrc || video.src || video.firstElementChild)) return done();
    for (const type of ['loadeddata', 'error', 'suspend', 'stalled']) video.addEventListener(type, done, { once: true });
  })));
})()`

/** Resolves when all of a loaded page can be drawn, or late. */
export async function wholePageReady(webContents: WebContents): Promise<void> {
  await withTimeLimit(
    readyWithinMs,
    webContents.executeJavaScriptInIsolatedWorld(isolatedWorld, [{ code: readyScript }]),
    null,
  )
}

/** Prepares a page that is loaded in a window for captures. */
export async function captureIn(window: BrowserWindow): Promise<Capture> {
  const { webContents } = window
  const run = (code: string): Promise<unknown> =>
    webContents.executeJavaScriptInIsolatedWorld(isolatedWorld, [{ code }])
  await webContents.insertCSS(stillSheet, { cssOrigin: 'user' })
  webContents.debugger.attach()
  await webContents.debugger.sendCommand('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: 'light' },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ],
  })
  await run(`globalThis.capture = ${script}; null`)
  await wholePageReady(webContents)

  async function picture(): Promise<Uint8Array> {
    const taken: unknown = await webContents.debugger.sendCommand('Page.captureScreenshot', {
      format: 'png',
      optimizeForSpeed: true,
    })
    return Buffer.from(screenshot.parse(taken).data, 'base64')
  }

  return {
    async at(width, places, progress) {
      window.setContentSize(width, screenRows)
      await run(
        `new Promise((done) => { const look = () => innerWidth === ${Math.trunc(width)} ? done() : requestAnimationFrame(look); look(); })`,
      )
      const page = measured.parse(await run(`capture.measure(${JSON.stringify(places)})`))
      const height = Math.min(Math.round(page.height), rowsAtMost)
      const boxes = page.rects.map((found) => {
        if (found === null) return null
        const [x, y, wide, high, isFixed] = found
        const top = isFixed ? y - page.height + height : y
        return { x, y: top, width: wide, height: high }
      })
      const slices: CapturedSlice[] = []
      for (let top = 0; top < height; top += screenRows) {
        if (progress?.isWanted() === false) throw new Error('The pictures are no longer wanted')
        const y = z.number().parse(await run(`capture.scroll(${top}, false)`))
        slices.push({ top: Math.round(y), png: await picture() })
        const first = { width, height: Math.min(height, screenRows), slices: [...slices], layer: null, boxes }
        if (top === 0) progress?.onFirst({ ...first, isCut: height > screenRows })
      }
      let layer: CapturedSlice | null = null
      if (page.hasLayer) {
        await run('capture.scroll(0, true)')
        layer = { top: 0, png: await picture() }
      }
      return { width, height, slices, layer, boxes, isCut: page.height > rowsAtMost }
    },
  }
}
