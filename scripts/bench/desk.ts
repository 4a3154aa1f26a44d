/** The review desk: from one page to the next, the pictures of a long page, and the versions of a page with many. */

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { ensureSystem } from '../runtime/debian.ts'
import { withDisplay } from '../runtime/display.ts'
import { findElectron } from '../runtime/electron.ts'
import { atMost, withoutGoal, type Figure } from './figure.ts'
import { openSection } from './interface/lists.ts'
import { galleyOn, watched, withWindow, type Machine, type OpenWindow } from './interface/window.ts'
import { processTree, proportionalMb } from './memory.ts'
import { makeSave } from './save.ts'
import { withStage, type BenchOptions, type Stage } from './stage.ts'
import { median, onALine } from './statistics.ts'

const site = 'bench'
const sentence = 'The boats leave the harbour before the morning tide, and the market opens when they return. '

/** Some 12,000 px high at 1,440 px. @param version What differs: some words, an inserted paragraph, the colour of headings */
function longPage(title: string, version: number): string {
  const paragraphs = Array.from({ length: 110 }, (_, at) => {
    const changed = version > 0 && at % 11 === 5 ? ` Version ${version} says so.` : ''
    const heading = at % 10 === 0 ? `<h2>Part ${at / 10 + 1}</h2>` : ''
    return `${heading}<p>${sentence.repeat(4)}${changed}</p>${version > 0 && at === 3 ? '<p>A new paragraph.</p>' : ''}`
  })
  return `<style>body { font: 18px/1.6 serif; margin: 40px } h2 { color: ${version > 0 ? '#a02020' : '#202020'} }</style><h1>${title}</h1>${paragraphs.join('')}`
}

interface Pages {
  /** Materials with two versions, of which the first is approved. */
  readonly approved: readonly { readonly materialId: string; readonly versionId: string }[]
  readonly newest: ReadonlyMap<string, string>
}

async function savePages({ archives, accepted }: Stage, count: number, versions: number): Promise<Pages> {
  const shape = { files: 1, fileBytes: 1024, method: 'deflated' } as const
  const approved: { materialId: string; versionId: string }[] = []
  const newest = new Map<string, string>()
  for (let at = 0; at < count; at += 1) {
    const materialId = `story-${String(at).padStart(2, '0')}`
    const first = makeSave(archives, materialId, { ...shape, html: longPage(materialId, 0) })
    await accepted(first)
    approved.push({ materialId, versionId: first.versionId })
    const second = makeSave(archives, materialId, { ...shape, html: longPage(materialId, 1) })
    await accepted(second)
    newest.set(materialId, second.versionId)
  }
  for (let at = 0; at < versions; at += 1)
    await accepted(makeSave(archives, 'many', { ...shape, html: `<h1>Many</h1><p>${sentence}${at}</p>` }))
  return { approved, newest }
}

export async function benchDesk(options: BenchOptions): Promise<readonly Figure[]> {
  await ensureSystem(['electron'])
  const electron = await findElectron()
  return withStage(options, async (stage) => {
    const pages = await savePages(stage, options.isQuick ? 5 : 9, options.isQuick ? 50 : 1000)
    await stage.listener.stop()
    console.log(`Review desk, Electron ${electron.version}`)
    return withDisplay(async (display) => {
      const folder = join(stage.folder, 'profiles')
      mkdirSync(folder)
      const machine: Machine = { electron, display, folder }
      return withWindow(machine, galleyOn(join(stage.folder, 'library')), async (window) => [
        await timeline(window, options.isQuick),
        ...(await approving(window, pages)),
      ])
    })
  })
}

/** From Enter on a material to its versions, each of those that are seen with its bar. */
async function timeline(window: OpenWindow, isQuick: boolean): Promise<Figure> {
  const { page, inPage } = window
  await openSection(window, 'Materials')
  const times: number[] = []
  for (let run = 0; run < (isQuick ? 1 : 5); run += 1) {
    await page.getByRole('row', { name: /Many/ }).first().click()
    const isShown = `document.querySelector('[data-pane="list"] [role=grid][aria-label="Versions"]') && bench.isFilled('Versions')`
    times.push(await watched(page, `bench.after('keydown', () => ${isShown})`, () => page.keyboard.press('Enter')))
    await inPage(`bench.when(() => bench.rows('Versions').filter((row) => row.querySelector('[role=img]')).length > 5)`)
    await page.locator('[data-pane="list"]').getByRole('button', { name: 'Materials' }).click()
    await inPage(`bench.when(() => bench.isShown('Materials'))`)
  }
  console.log(`  versions of a page with ${isQuick ? 50 : 1000}, ms:  ${onALine(times)}`)
  return atMost('desk: versions of a page with 1,000 shown after a key', median(times), 150, ' ms')
}

const seen = `document.querySelector('[data-pane="page"] [aria-busy]')?.getAttribute('aria-busy') === 'false'`

async function approving(window: OpenWindow, { approved, newest }: Pages): Promise<readonly Figure[]> {
  const { page, inPage } = window
  const call = <Out>(name: string, input: unknown): Promise<Out> =>
    inPage<Out>(`galley.call('${name}', ${JSON.stringify(input)})`)
  await call('changeSettings', { personName: 'Ida' })
  const set = { verdict: { decision: 'approved', reason: '' } }
  await call('setFields', { record: 'version', site, of: approved, set })
  const marked = await watchMarks(window)
  await openSection(window, 'Review')
  await inPage(`bench.when(() => ${seen})`)
  const afterPaint = await marked()
  const times: number[] = []
  for (let run = 0; run < approved.length - 3; run += 1) {
    // The next two pages are loaded with the one that is read: five views below the one that is seen.
    await waitForViews(window, 6)
    await inPage(`new Promise((done) => setTimeout(done, 400))`)
    const title = await page.locator('[data-pane="page"] h2').first().textContent()
    const isNext = `document.querySelector('[data-pane="page"] h2').textContent !== ${JSON.stringify(title)} && ${seen}`
    times.push(await watched(page, `bench.after('keydown', () => ${isNext})`, () => page.keyboard.press('y')))
  }
  console.log(`  Y to the next page painted, ms:      ${onALine(times)}`)
  const pictures = await picturesOf(window, approved.at(-1), newest)
  return [
    atMost('desk: Y to the next page painted with marks', median(times), 200, ' ms'),
    atMost('desk: marks of 12,000 px after both pages are loaded', afterPaint, 300, ' ms'),
    ...pictures,
  ]
}

const waitForViews = ({ app }: OpenWindow, count: number): Promise<unknown> =>
  app.evaluate(async ({ webContents }, count) => {
    const loaded = (): number =>
      webContents
        .getAllWebContents()
        .filter((each) => !each.isOffscreen() && each.getURL().startsWith('galley-review:') && !each.isLoading()).length
    while (loaded() < count) await new Promise((resolve) => setTimeout(resolve, 50))
  }, count)

/** Observes the first two pages that are loaded; the answer is the time from both being loaded to the marks on one of them. */
async function watchMarks({ app }: OpenWindow): Promise<() => Promise<number>> {
  await app.evaluate(({ app }) => {
    const pages: Electron.WebContents[] = []
    const state = { loadedAt: 0, markedAt: 0 }
    Object.assign(globalThis, { benchMarks: state })
    const code = `[...CSS.highlights.keys()].some((name) => name.startsWith('galley-'))`
    const isMarked = (page: Electron.WebContents): Promise<boolean> =>
      page.executeJavaScriptInIsolatedWorld(7, [{ code }]) as Promise<boolean>
    async function look(): Promise<void> {
      const marked = await Promise.all(pages.map((page) => isMarked(page).catch(() => false)))
      if (marked.includes(true)) state.markedAt = performance.now()
      else setTimeout(() => void look(), 5)
    }
    app.on('web-contents-created', (_event, contents) => {
      if (contents.isOffscreen()) return
      contents.once('did-finish-load', () => {
        if (!contents.getURL().startsWith('galley-review:') || pages.length === 2) return
        pages.push(contents)
        if (pages.length < 2) return
        state.loadedAt = performance.now()
        void look()
      })
    })
  })
  return () =>
    app.evaluate(async () => {
      const { benchMarks: state } = globalThis as unknown as {
        benchMarks: { readonly loadedAt: number; readonly markedAt: number }
      }
      while (state.markedAt === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      return state.markedAt - state.loadedAt
    })
}

/** Pictures of a pair at 1,280 px: time with and without comparing, the longest stall of the main thread, and the memory of all processes. */
async function picturesOf(
  window: OpenWindow,
  approved: Pages['approved'][number] | undefined,
  newest: Pages['newest'],
): Promise<readonly Figure[]> {
  const { app, inPage } = window
  // Pictures of the page that is read are made too, one pair after the other.
  await inPage(`galley.call('leaveDesk')`)
  await app.evaluate(async ({ BrowserWindow }) => {
    const isBusy = (): boolean => BrowserWindow.getAllWindows().length > 1
    for (let idle = 0; idle < 20; idle = isBusy() ? 0 : idle + 1)
      await new Promise((resolve) => setTimeout(resolve, 50))
  })
  // Idle threads end after 30 seconds, and with them what they compared before.
  await wait(35_000)
  const { materialId = '', versionId: before = '' } = approved ?? {}
  const pair = { site, materialId, before, after: newest.get(materialId), inTheme: false, width: 1280, isFirst: false }
  await app.evaluate(({ app }) => {
    const state = { stall: 0, last: performance.now(), openedAt: 0, capturedAt: 0 }
    const stalls = setInterval(() => {
      const now = performance.now()
      state.stall = Math.max(state.stall, now - state.last - 5)
      state.last = now
    }, 5)
    // Pages are captured in windows of their own, each of which is closed when it is captured.
    const watch = (_event: unknown, window: Electron.BrowserWindow): void => {
      if (state.openedAt === 0) state.openedAt = performance.now()
      window.once('closed', () => (state.capturedAt = performance.now()))
    }
    app.on('browser-window-created', watch)
    const stop = (): void => {
      clearInterval(stalls)
      app.off('browser-window-created', watch)
    }
    Object.assign(globalThis, { benchPictures: { state, stop } })
  })
  const base = memoryOf(window)
  const state = { peak: base, isMade: false }
  const watching = (async (): Promise<void> => {
    while (!state.isMade) {
      const now = memoryOf(window)
      if (sumOf(now) > sumOf(state.peak)) state.peak = now
      await wait(50)
    }
  })()
  const took = await inPage<number>(
    `(async () => { const from = performance.now(); await galley.call('deskPictures', ${JSON.stringify(pair)}); return performance.now() - from })()`,
  )
  state.isMade = true
  await watching
  const { stall, openedAt, capturedAt } = await app.evaluate(() => {
    const { benchPictures } = globalThis as unknown as {
      benchPictures: {
        readonly state: { readonly stall: number; readonly openedAt: number; readonly capturedAt: number }
        stop(): void
      }
    }
    benchPictures.stop()
    return benchPictures.state
  })
  const captures = capturedAt - openedAt
  const more = [...state.peak].map(([type, size]) => [type, size - (base.get(type) ?? 0)] as const)
  console.log(
    `  pictures of a pair of 12,000 px:     ${took.toFixed(0)} ms, of which captures ${captures.toFixed(0)} ms, longest stall ${stall.toFixed(0)} ms`,
  )
  console.log(
    `  more memory at the peak, MB:         ${more.map(([type, size]) => `${type} ${size.toFixed(0)}`).join(', ')}`,
  )
  return [
    withoutGoal('desk: pictures of a pair of 12,000 px at one width, compared', took, ' ms'),
    atMost('desk: that, as a multiple of its captures', took / captures, 2.5, 'x', 2),
    atMost('desk: longest stall of the main thread meanwhile', stall, 50, ' ms'),
    atMost('desk: memory of all processes meanwhile, above that before', sumOf(state.peak) - sumOf(base), 400, ' MB'),
  ]
}

/** The memory of the app in MB, by the kind of its processes. */
function memoryOf({ app }: OpenWindow): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const pid of processTree(app.process().pid ?? 0)) {
    const type = processType(pid)
    sums.set(type, (sums.get(type) ?? 0) + (proportionalMb(pid) ?? 0))
  }
  return sums
}

function processType(pid: number): string {
  try {
    return /--type=([\w-]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1] ?? 'main'
  } catch {
    return 'main'
  }
}

const sumOf = (sums: ReadonlyMap<string, number>): number => [...sums.values()].reduce((sum, each) => sum + each, 0)
