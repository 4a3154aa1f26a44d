import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import type { ArchiveWorkers } from '../../../packages/library/archive/client.ts'
import { createArchiveWorkers } from '../../../packages/library/archive/client.ts'
import type { UnpackMediaJob } from '../../../packages/library/archive/jobs.ts'
import { cause } from '../../../packages/wire/cause.ts'
import { archiveLimits } from '../../../packages/wire/protocol/archive.ts'
import { aSave } from '../../support/archives/sound.ts'
import { builtThreads } from '../../support/built-threads.ts'
import { watchThreads } from '../../support/thread-life.ts'
import { aPlace } from './fixture.ts'

const script = builtThreads.archive

function aJob(bytes = aSave()): UnpackMediaJob {
  const { archive, stagingDir } = aPlace(bytes)
  const publicBase = 'https://cdn.example'
  const bases = { publicBase, ownBases: [publicBase] }
  return {
    kind: 'unpackMedia',
    archive,
    stagingDir,
    limits: archiveLimits,
    isInFolder: false,
    ...bases,
    earlierState: null,
  }
}

let workers: ArchiveWorkers | null = null
afterEach(() => workers?.close())
const crashes: Error[] = []
function start(source: string | URL = script, threads = 2): ArchiveWorkers {
  crashes.length = 0
  workers = createArchiveWorkers({ script: source, threads, onCrash: (error) => crashes.push(error) })
  return workers
}

/** A thread with the test's own script. */
function aScript(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'galley-worker-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'worker.cjs')
  writeFileSync(path, `const { parentPort, threadId } = require('node:worker_threads')\n${body}`)
  return path
}
const answers = `const answer = (reason) => parentPort.postMessage({ steps: [],
  result: { ok: false, failure: { kind: 'storage_failed', reason } } })\n`

describe('the archive threads', () => {
  test('run jobs and report the duration of each step', async () => {
    const { result, steps } = await start().run(aJob())
    expect(result.ok && result.value.kind).toBe('media')
    expect(steps.map((step) => step.name)).toEqual(['directory', 'unpack', 'rewrite', 'sync'])
    expect(steps.every((step) => step.ms >= 0)).toBe(true)
  })

  test('run more jobs than there are threads, each with its own result', async () => {
    const { run } = start()
    const bodies = Array.from({ length: 12 }, (_, index) => `content ${index}`)
    const jobs = bodies.map((data) => aJob(aSave([{ name: 'vms_media/b', data }])))
    const outcomes = await Promise.all(jobs.map((job) => run(job)))
    const sizes = outcomes.map(({ result }) => (result.ok ? result.value.media.at(-1)?.sizeBytes : null))
    expect(sizes).toEqual(bodies.map((body) => body.length))
  })

  test('return failures as results', async () => {
    const { run } = start()
    const [refused, fine] = await Promise.all([run(aJob(Buffer.from('no archive'))), run(aJob())])
    expect(refused.result).toMatchObject({ ok: false, failure: { kind: 'invalid_archive' } })
    expect(fine.result.ok).toBe(true)
  })

  test('are reused while idle', async () => {
    const same = aScript(`${answers}parentPort.on('message', () => answer(String(threadId)))`)
    const { run } = start(same)
    const first = await run(aJob())
    expect(await run(aJob())).toEqual(first)
  })

  test('end when idle for a while, and start again on demand', async () => {
    const { script: watched, ends, begun, tell } = await watchThreads()
    const script = aScript(`${answers}${watched}
      parentPort.on('message', (job) =>
        (job.publicBase === 'slow' ? told : open).then(() => answer(String(threadId))))`)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    workers = createArchiveWorkers({ script, threads: 2, restMs: 300 })
    const first = await Promise.all([workers.run(aJob()), workers.run(aJob())])
    await begun(2)
    vi.advanceTimersByTime(300)
    await Promise.all(ends)
    const again = await workers.run(aJob())
    expect(again).toMatchObject({ result: { failure: { reason: expect.stringMatching(/^\d+$/) } } })
    expect(first).not.toContainEqual(again)
    // A busy thread continues, however long its job takes.
    const slow = workers.run({ ...aJob(), publicBase: 'slow' })
    vi.advanceTimersByTime(3_000)
    await begun(3)
    tell()
    expect(await slow).toEqual(again)
  })

  test.each([
    ['throws', 'throw new Error("a bug")'],
    ['exits', 'process.exit(3)'],
  ])('one that %s fails its job only, and is replaced', async (_, bug) => {
    const source = aScript(`${answers}parentPort.on('message', (job) => {
      if (job.publicBase === 'bug') { ${bug} } else setTimeout(() => answer('fine'), 50) })`)
    const { run } = start(source)
    const outcomes = await Promise.all([
      run(aJob()),
      run({ ...aJob(), publicBase: 'bug' }),
      run(aJob()),
      run({ ...aJob(), publicBase: 'bug' }),
      run(aJob()),
    ])
    const reasons = outcomes.map(({ result }) =>
      result.ok || result.failure.kind !== 'storage_failed' ? '' : result.failure.reason,
    )
    const stopped = cause('unpacking_stopped')
    expect(reasons).toEqual(['fine', stopped, 'fine', stopped, 'fine'])
  })

  test('report an archive as too large if a thread runs out of memory', async () => {
    const bug = 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))'
    const { result } = await start(aScript(`parentPort.on('message', () => { ${bug} })`)).run(aJob())
    expect(result).toMatchObject({ ok: false, failure: { kind: 'content_too_large' } })
  })

  test('report bugs', async () => {
    const { run } = start(aScript('parentPort.on("message", () => { throw new Error("a bug") })'))
    await run(aJob())
    expect(crashes.map((error) => error.message)).toEqual(['a bug'])
  })

  test('fail pending and later jobs after they are closed', async () => {
    const { run, close } = start(aScript('parentPort.on("message", () => undefined)'), 1)
    const pending = [run(aJob()), run(aJob())]
    await close()
    const closing = { ok: false, failure: { kind: 'storage_failed', reason: cause('closing') } }
    for (const outcome of [...(await Promise.all(pending)), await run(aJob())]) expect(outcome.result).toEqual(closing)
  })

  test('do not keep a command running', () => {
    const { archive, stagingDir } = aPlace(aSave())
    const client = new URL('../../../packages/library/archive/client.ts', import.meta.url)
    const job = { ...aJob(), archive, stagingDir }
    const source = `import { createArchiveWorkers } from ${JSON.stringify(client.href)}
      const workers = createArchiveWorkers({ script: new URL(${JSON.stringify(script.href)}), threads: 2 })
      const { result } = await workers.run(${JSON.stringify(job)})
      console.log(result.ok)`
    const command = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', source], {
      timeout: 120_000,
    })
    expect(command.stderr.toString()).toBe('')
    expect(command.stdout.toString()).toBe('true\n')
    expect(command.status).toBe(0)
  })
})
