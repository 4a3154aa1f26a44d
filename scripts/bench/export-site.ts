/** Exports of large sites, compared with `cp -r` for many media and with Hugo for many pages. */

import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { onPath } from '../runtime/processes.ts'
import { projectRoot } from '../runtime/project.ts'
import { atMost, type Figure } from './figure.ts'
import { writeHugoSite } from './hugo-site.ts'
import { pageHtml, savePages, timedGalley, timedProgram, type Timed } from './site.ts'
import { withStage, type BenchOptions, type Stage } from './stage.ts'
import { median, onALine } from './statistics.ts'

const media = { pages: 1000, filesPerPage: 5, fileBytes: 200 * 1024 } as const
const baseUrl = 'https://bench.example/'

export async function benchExport(options: BenchOptions): Promise<readonly Figure[]> {
  return [
    ...(await withStage(options, (stage) => manyMedia(stage, options))),
    ...(await withStage(options, (stage) => manyPages(stage, options))),
  ]
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)

/** 1,000 pages with 5,000 media files, 1 GB in all. */
async function manyMedia(stage: Stage, options: BenchOptions): Promise<readonly Figure[]> {
  const pages = options.isQuick ? 200 : media.pages
  const shape = { files: media.filesPerPage, fileBytes: media.fileBytes, method: 'stored' } as const
  await savePages(stage, numbers(pages), () => shape)
  const out = join(stage.folder, 'out')
  const run = () => timedGalley(stage, options, ['export', 'bench', '--out', out, '--base-url', baseUrl])
  const first: Timed[] = []
  const copies: number[] = []
  const turns = [
    async () => {
      rmSync(out, { recursive: true, force: true })
      execFileSync('sync')
      first.push(await run())
    },
    async () => {
      const copy = join(stage.folder, 'copy')
      execFileSync('sync')
      copies.push(await timedProgram('cp', ['-r', out, copy]))
      rmSync(copy, { recursive: true })
    },
  ]
  for (let at = 0; at < (options.isQuick ? 1 : 3); at += 1) for (const turn of turns) await turn()

  const unchanged: Timed[] = []
  const changed: Timed[] = []
  for (let at = 0; at < (options.isQuick ? 2 : 5); at += 1) {
    unchanged.push(await run())
    await savePages(stage, [at], () => shape)
    changed.push(await run())
  }
  const all = [...first, ...unchanged, ...changed]
  const msOf = (runs: readonly Timed[]) => median(runs.map(({ ms }) => ms))
  console.log(`export of ${pages} pages and ${pages * media.filesPerPage} media, ms`)
  for (const [name, runs] of Object.entries({ first, unchanged, changed }))
    console.log(`  ${name.padEnd(10)} ${onALine(runs.map(({ ms }) => ms))}`)
  console.log(`  cp -r      ${onALine(copies)}`)
  return [
    atMost('export, 1 GB: first time', msOf(first) / 1000, (1.3 * median(copies)) / 1000 + 10, ' s', 1),
    atMost('export, 1 GB: nothing changed', msOf(unchanged) / 1000, 2, ' s', 2),
    atMost('export, 1 GB: one page changed, against nothing changed', msOf(changed) / msOf(unchanged), 1.2, 'x', 2),
    atMost('export, 1 GB: peak memory', Math.max(...all.map(({ peakMb }) => peakMb)), 250, ' MB'),
  ]
}

/** 10,000 pages of 11 KB, and a change of the theme. */
async function manyPages(stage: Stage, options: BenchOptions): Promise<readonly Figure[]> {
  const pages = options.isQuick ? 2000 : 10_000
  await savePages(stage, numbers(pages), (page) => ({
    files: 0,
    fileBytes: 0,
    method: 'deflated',
    html: pageHtml(page, pages, (other) => `galley:material/post-${other}`),
  }))
  const theme = join(stage.folder, 'theme')
  cpSync(join(projectRoot, 'resources', 'themes', 'default'), theme, { recursive: true })
  const themeLayout = join(theme, 'layouts', 'base.html')
  const out = join(stage.folder, 'out')
  const run = () =>
    timedGalley(stage, options, ['export', 'bench', '--out', out, '--base-url', baseUrl, '--theme', theme])
  const hugo = onPath('hugo')
  if (hugo === null) console.log('hugo is missing (apt-get install hugo): there is nothing to compare with')
  const hugoSite = join(stage.folder, 'hugo')
  mkdirSync(hugoSite)
  const layout = writeHugoSite(hugoSite, pages)
  const buildHugo = async (): Promise<number | null> =>
    hugo === null ? null : timedProgram(hugo, ['--quiet', '--source', hugoSite])

  const first: Timed[] = []
  const unchanged: Timed[] = []
  const themed: Timed[] = []
  const theirFirst: (number | null)[] = []
  const theirThemed: (number | null)[] = []
  for (let at = 0; at < (options.isQuick ? 1 : 3); at += 1) {
    for (const folder of [out, join(stage.folder, 'library', 'derived'), join(hugoSite, 'public')])
      rmSync(folder, { recursive: true, force: true })
    execFileSync('sync')
    first.push(await run())
    theirFirst.push(await buildHugo())
    unchanged.push(await run())
    appendFileSync(themeLayout, `\n<!-- ${at} -->`)
    appendFileSync(layout, `\n<!-- ${at} -->`)
    themed.push(await run())
    theirThemed.push(await buildHugo())
  }
  console.log(`export of ${pages} pages of 11 KB, ms`)
  for (const [name, runs] of Object.entries({ first, unchanged, theme: themed }))
    console.log(
      `  ${name.padEnd(12)} ${onALine(runs.map(({ ms }) => ms))}, peak ${onALine(runs.map(({ peakMb }) => peakMb))} MB`,
    )
  const against = (ours: readonly Timed[], theirs: readonly (number | null)[]): number | null => {
    const known = theirs.filter((ms) => ms !== null)
    if (known.length > 0) console.log(`  hugo         ${onALine(known)}`)
    return known.length === 0 ? null : median(ours.map(({ ms }) => ms)) / median(known)
  }
  const all = [...first, ...unchanged, ...themed]
  return [
    atMost('export, 10,000 pages: first time against Hugo', against(first, theirFirst), 6, 'x', 1),
    atMost('export, 10,000 pages: theme changed, against Hugo', against(themed, theirThemed), 3, 'x', 1),
    atMost('export, 10,000 pages: peak memory', Math.max(...all.map(({ peakMb }) => peakMb)), 250, ' MB'),
  ]
}
