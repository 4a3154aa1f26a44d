/** A library with a site of many pages, filled through the listener, and commands on it that are timed as processes. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { cliFile } from '../runtime/built.ts'
import { callbackSecret } from './listener.ts'
import { makeSave, type SaveShape } from './save.ts'
import type { BenchOptions, Stage } from './stage.ts'

const savesAtATime = 8
const peakProbe = join(import.meta.dirname, 'peak-probe.cjs')

const words =
  'harbour market sunrise boat orange bread weekend council budget election school river bridge theatre concert festival museum library police court'.split(
    ' ',
  )
const word = (at: number): string => words[(at * 7919) % words.length] ?? 'word'
const some = (from: number, many: number): string =>
  Array.from({ length: many }, (_, at) => word(from + at * 31)).join(' ')

export const titleOf = (page: number): string => `The ${word(page)} and the ${word(page + 7)} ${page}`

/** A page of about 11 KB with unique text; `linkTo` returns the address of another page. */
export function pageHtml(page: number, pages: number, linkTo: (page: number) => string, mark = ''): string {
  const paragraphs = Array.from(
    { length: 24 },
    (_, at) =>
      `<p>${some(page * 97 + at * 13, 60)}, and <a href="${linkTo((page + at + 1) % pages)}">${word(at)}</a>.</p>`,
  )
  return `<h1>${titleOf(page)}</h1>\n${paragraphs.join('\n')}\n<p>${mark}</p>`
}

/** Saves one page per number, several at a time. */
export async function savePages(
  { archives, listener }: Stage,
  pages: readonly number[],
  shapeOf: (page: number) => SaveShape,
): Promise<void> {
  const waiting = pages.values()
  async function saver(): Promise<void> {
    for (const page of waiting) {
      const save = makeSave(archives, `post-${page}`, shapeOf(page))
      const { rc, rm } = await listener.save(save)
      if (rc !== 1) throw new Error(`A save was not taken: ${String(rm)}`)
      rmSync(save.archiveFile)
    }
  }
  await Promise.all(Array.from({ length: savesAtATime }, saver))
}

export interface Timed {
  readonly ms: number
  /** The peak memory of the process, in MB. */
  readonly peakMb: number
  readonly answer: unknown
}

/** Runs a command of the built product on the library of a stage, as a process. */
export async function timedGalley(
  { folder }: Stage,
  { nodeFlags }: BenchOptions,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Timed> {
  const peakFile = join(folder, 'peak')
  const globals = ['--json', '--library', join(folder, 'library'), '--secrets', 'env']
  const start = performance.now()
  const child = spawn(process.execPath, [...nodeFlags, '--require', peakProbe, cliFile, ...args, ...globals], {
    env: { ...process.env, GALLEY_SECRET_BENCH: callbackSecret, BENCH_PEAK_FILE: peakFile, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  const ms = performance.now() - start
  if (code !== 0) throw new Error(`galley ${args.join(' ')} ended with ${code}`)
  return {
    ms,
    peakMb: Number(readFileSync(peakFile, 'utf8')) / 1024,
    answer: JSON.parse(Buffer.concat(chunks).toString('utf8')),
  }
}

/** The run time of a program. */
export async function timedProgram(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const start = performance.now()
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
  return performance.now() - start
}
