import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

import { judge as fileOfJudge } from '../../support/judges.ts'
import { atEnd } from './at-end.ts'
import { aWindowApp } from './browser-window.ts'
import { electronProcess } from './electron.ts'

/** What is used of Lighthouse and of puppeteer-core, which are installed apart. */
type Lighthouse = (url: string, flags: object, config: undefined, page: object) => Promise<Result | undefined>
interface Result {
  readonly lhr: {
    readonly runtimeError?: { readonly message: string }
    readonly categories: Readonly<Partial<Record<string, Category>>>
    readonly audits: Readonly<
      Partial<Record<string, { readonly score: number | null; readonly displayValue?: string }>>
    >
  }
}
interface Category {
  readonly score: number | null
  readonly auditRefs: readonly { readonly id: string; readonly weight: number }[]
}
interface Puppeteer {
  connect(options: { readonly browserWSEndpoint: string; readonly defaultViewport: null }): Promise<{
    pages(): Promise<readonly object[]>
  }>
}

async function load<Module>(name: string): Promise<Module> {
  // Types meet modules that the compiler does not see.
  const { default: module } = (await import(pathToFileURL(await fileOfJudge(name)).href)) as {
    readonly default: Module
  }
  return module
}

export const groups = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Group = (typeof groups)[number]

/** Scores of a page from 0 to 100, and the audits that took points from them. */
export interface Judgement {
  readonly scores: Readonly<Record<Group, number>>
  readonly lost: readonly string[]
}

/** A window that Lighthouse may drive. Tests judge one page after the other in it. */
export async function startLighthouse() {
  const lighthouse = await load<Lighthouse>('lighthouse')
  const puppeteer = await load<Puppeteer>('puppeteer-core')
  const { folder, app, remove } = await aWindowApp()
  const { executablePath, args, env } = electronProcess(null, ['--lang=en-GB', '--remote-debugging-port=0', app], {
    XDG_CONFIG_HOME: folder,
  })
  const child = spawn(executablePath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  atEnd(() => {
    child.kill('SIGKILL')
    return remove()
  })
  const browser = await puppeteer.connect({
    browserWSEndpoint: await debuggingAddress(child.stderr),
    defaultViewport: null,
  })
  const [page] = await browser.pages()
  if (page === undefined) throw new Error('Electron opened no window')

  /**
   * Scores a page as on a phone with a slow connection. Throttling is simulated: times are worked out from what was
   * loaded and in which order, so that they depend little on how busy this machine is.
   */
  return async function judge(url: string, only: readonly Group[] = groups): Promise<Judgement> {
    const flags = {
      onlyCategories: [...only],
      throttlingMethod: 'simulate',
      disableFullPageScreenshot: true,
      // Pages on this computer are loaded at once; by default, each of these waits a second for what may come.
      pauseAfterFcpMs: 300,
      pauseAfterLoadMs: 300,
      networkQuietThresholdMs: 300,
      cpuQuietThresholdMs: 300,
      logLevel: 'error',
    }
    const result = await lighthouse(url, flags, undefined, page)
    if (result === undefined || result.lhr.runtimeError) throw new Error(`${url}: ${result?.lhr.runtimeError?.message}`)
    const { categories, audits } = result.lhr
    const scoreOf = (group: Group): number => Math.round((categories[group]?.score ?? 0) * 100)
    return {
      scores: {
        performance: scoreOf('performance'),
        accessibility: scoreOf('accessibility'),
        'best-practices': scoreOf('best-practices'),
        seo: scoreOf('seo'),
      },
      lost: only.flatMap((group) =>
        (categories[group]?.auditRefs ?? [])
          .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
          .map(({ id }) => `${group}: ${id} ${audits[id]?.displayValue ?? ''}`.trim()),
      ),
    }
  }
}

/** The address that Chromium writes when its debugging port is open. */
async function debuggingAddress(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output })
  for await (const line of lines) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address !== undefined) {
      output.resume()
      return address
    }
  }
  throw new Error('Electron ended before its debugging port was open')
}
