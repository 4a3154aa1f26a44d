import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'

import type { Disk } from '../../../packages/platform/disk/disk.ts'
import { realDisk } from '../../../packages/platform/disk/disk.ts'
import { pageContents } from '../../../packages/sites/bundle/page-references.ts'
import { exportBundle } from '../../../packages/sites/exporting/export-bundle.ts'
import { contentsOf, emptyFoldersIn, filesIn, temporaryFolder } from './folders.ts'
import { plainOptions } from './sample-library.ts'
import { siteInState } from './site-in-state.ts'

const exportState = (state: number, directory: string, disk: Disk = realDisk) =>
  exportBundle({
    source: siteInState(state).source(),
    target: { kind: 'folder', directory },
    options: plainOptions,
    disk,
  })

/** A disk that fails permanently at its nth change. A file that is being written stays incomplete. */
function stoppingDisk(at: number): { readonly disk: Disk; readonly changes: () => number } {
  let changes = 0
  const stop = () => {
    throw Object.assign(new Error('the machine stopped'), { code: 'ESTOPPED', syscall: 'test' })
  }
  const counted =
    <Arguments extends readonly unknown[], Value>(change: (...args: Arguments) => Promise<Value>) =>
    async (...args: Arguments): Promise<Value> =>
      ++changes >= at ? stop() : change(...args)
  const disk: Disk = {
    ...realDisk,
    async create(path, chunks) {
      if (changes >= at) stop()
      if (++changes < at) return realDisk.create(path, chunks)
      await realDisk.create(path, half(chunks))
      stop()
    },
    makeFolder: counted(realDisk.makeFolder),
    link: counted(realDisk.link),
    rename: (from, to) => (++changes >= at ? stop() : realDisk.rename(from, to)),
    remove: counted(realDisk.remove),
    removeFolder: counted(realDisk.removeFolder),
    syncFolder: counted(realDisk.syncFolder),
  }
  return { disk, changes: () => changes }
}

async function* half(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk.subarray(0, chunk.length / 2)
    return
  }
}

/** Every page is complete in one of the two states, or missing if one state lacks it, and its references work. */
function expectWholePages(out: string, states: readonly Readonly<Record<string, string>>[]) {
  const now = contentsOf(out)
  const pages = new Set(states.flatMap((state) => Object.keys(state)).filter((path) => path.endsWith('.html')))
  for (const page of pages) {
    expect(states.map((state) => state[page])).toContain(now[page])
    if (now[page] === undefined || page === 'index.html') continue
    for (const { ref } of pageContents(readFileSync(join(out, page), 'utf8')).references) {
      if (ref.startsWith('../media/'))
        expect([page, ref, existsSync(join(out, 'page-1', ref))]).toEqual([page, ref, true])
    }
  }
}

/** The manifest never lists files that do not exist yet. */
function expectManifestKept(out: string, state: Readonly<Record<string, string>>) {
  const now = contentsOf(out)
  if (now['galley-bundle.json'] === state['galley-bundle.json']) expect(now).toMatchObject(state)
}

/** Returns a function that makes a folder with the export of state 1: a copy of the one that was exported. */
async function firstExports(): Promise<() => string> {
  const exported = temporaryFolder()
  await exportState(1, exported)
  return () => {
    const out = temporaryFolder()
    cpSync(exported, out, { recursive: true, preserveTimestamps: true })
    return out
  }
}

const statesOf = async (...states: readonly number[]) =>
  Promise.all(
    states.map(async (state) => {
      const out = temporaryFolder()
      await exportState(state, out)
      return contentsOf(out)
    }),
  )

describe('an interrupted export', () => {
  it('at any change of the disk leaves complete pages, and the next one finishes', async () => {
    const [before = {}, after = {}] = await statesOf(1, 2)
    const counting = stoppingDisk(Number.POSITIVE_INFINITY)
    const firstExport = await firstExports()
    const whole = firstExport()
    await exportState(2, whole, counting.disk)
    expect(contentsOf(whole)).toEqual(after)
    expect(counting.changes()).toBeGreaterThan(20)
    for (let at = 1; at <= counting.changes(); at++) {
      const out = firstExport()
      const stopped = await exportState(2, out, stoppingDisk(at).disk)
      expect(stopped).toMatchObject({ failure: { code: 'io_failed', errno: 'ESTOPPED' } })
      expectWholePages(out, [before, after])
      const unfinished = filesIn(out).filter((path) => /tmp|files\.txt/.test(path))
      expect(unfinished.filter((path) => !path.startsWith('.galley-unfinished/'))).toEqual([])
      if (unfinished.length > 0) expect(filesIn(out)).toContain('.galley-unfinished/.gitignore')
      expectManifestKept(out, after)
      // Every other time, the library has changed in the meantime, or changed back.
      const next = at % 2 === 0 ? 1 : 2
      expect(await exportState(next, out)).toMatchObject({ ok: true })
      expect(contentsOf(out)).toEqual(next === 1 ? before : after)
      expect(filesIn(out).filter((path) => /tmp|unfinished/.test(path))).toEqual([])
      expect(emptyFoldersIn(out)).toEqual([])
    }
  })

  it('frees what pages replaced only after all of them are in their places', async () => {
    const out = temporaryFolder()
    await exportState(1, out)
    const names: number[] = []
    const watching: Disk = {
      ...realDisk,
      rename(from, to) {
        if (to.endsWith('.html') && existsSync(to)) names.push(statSync(to).nlink)
        realDisk.rename(from, to)
      },
    }
    await exportState(2, out, watching)
    expect(names.length).toBeGreaterThan(2)
    expect(new Set(names)).toEqual(new Set([2]))
    const [after = {}] = await statesOf(2)
    const without = temporaryFolder()
    await exportState(1, without)
    await exportState(2, without, { ...realDisk, link: async () => false })
    expect(contentsOf(without)).toEqual(after)
  })

  it('at any change of the first run is continued by the next one', async () => {
    const [after = {}] = await statesOf(2)
    const counting = stoppingDisk(Number.POSITIVE_INFINITY)
    await exportState(2, temporaryFolder(), counting.disk)
    expect(counting.changes()).toBeGreaterThan(20)
    for (let at = 1; at <= counting.changes(); at++) {
      const out = join(temporaryFolder(), 'out')
      const stopped = await exportState(2, out, stoppingDisk(at).disk)
      expect(stopped).toMatchObject({ failure: { code: 'io_failed', errno: 'ESTOPPED' } })
      if (existsSync(out)) expectWholePages(out, [{}, after])
      expect(await exportState(2, out)).toMatchObject({ ok: true })
      expect(contentsOf(out)).toEqual(after)
    }
  })

  it('cancelled by a person at any moment changes no page, and the next one finishes', async () => {
    const [before = {}, after = {}] = await statesOf(1, 2)
    const cancelled = (directory: string, at: number) => {
      let told = 0
      return exportBundle({
        source: siteInState(2).source(),
        target: { kind: 'folder', directory },
        options: plainOptions,
        watch: (step) => {
          if (step === 'writing' && ++told === at) throw new DOMException('cancelled', 'AbortError')
        },
      }).catch((error: Error) => error.name)
    }
    const firstExport = await firstExports()
    const outcomes: unknown[] = []
    for (let at = 1; outcomes.at(-1) === undefined || outcomes.at(-1) === 'AbortError'; at++) {
      const out = firstExport()
      outcomes.push(await cancelled(out, at))
      if (outcomes.at(-1) !== 'AbortError') continue
      expect(contentsOf(out)).toMatchObject(before)
      expect(filesIn(out).filter((path) => path.includes('tmp'))).toEqual([])
      expect(await exportState(2, out)).toMatchObject({ ok: true })
      expect(contentsOf(out)).toEqual(after)
    }
    expect(outcomes.length).toBeGreaterThan(5)
  })

  it('killed at any moment leaves complete pages, and the next one finishes', async () => {
    const states = await statesOf(1, 2)
    const out = join(temporaryFolder(), 'out')
    await exportState(1, out)
    const git = join(temporaryFolder(), 'git')
    execFileSync('git', ['init', '-q', '--bare', git])
    let killed = 0
    const rounds = 10
    for (let round = 0; round < rounds; round++) {
      const child = spawn(
        process.execPath,
        [
          '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
          '--import',
          join(import.meta.dirname, '../../library/db/raw-sql.ts'),
          join(import.meta.dirname, 'export-forever.ts'),
          out,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
      await new Promise((resolve) => child.stdout.once('data', resolve))
      await pause(Math.random() * 60)
      child.kill('SIGKILL')
      if ((await ended) === 'SIGKILL') killed++
      expectWholePages(out, states)
      const taken = execFileSync('git', [
        `--git-dir=${git}`,
        `--work-tree=${out}`,
        'ls-files',
        '-o',
        '--exclude-standard',
      ])
      expect(
        taken
          .toString()
          .split('\n')
          .filter((path) => /tmp|unfinished/.test(path)),
      ).toEqual([])
      const state = (round % 2) + 1
      expect(await exportState(state, out)).toMatchObject({ ok: true })
      expect(contentsOf(out)).toEqual(states[state - 1])
    }
    expect(killed).toBe(rounds)
  })

  it('does not harm a concurrent one', async () => {
    const states = await statesOf(1, 2)
    const out = join(temporaryFolder(), 'out')
    await exportState(1, out)
    for (let round = 0; round < 5; round++) {
      await Promise.all([exportState(1, out), exportState(2, out), exportState(2, out)])
      expectWholePages(out, states)
      expect(await exportState(2, out)).toMatchObject({ ok: true })
      expect(contentsOf(out)).toEqual(states[1])
    }
  })
})
