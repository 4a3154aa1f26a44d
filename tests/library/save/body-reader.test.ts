import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createBodyReader } from '../../../packages/library/save/body-reader.ts'
import { createBackground } from '../../../packages/platform/threads/background.ts'
import { cause } from '../../../packages/wire/cause.ts'
import { hostileBodies } from '../../support/attacks/hostile-bodies.ts'
import { builtThreads } from '../../support/built-threads.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

function aReader() {
  const background = createBackground(builtThreads.background)
  onTestFinished(() => background.close())
  return createBodyReader(background)
}

/** Milliseconds of processor time of the main thread, which other work on the machine does not increase. */
async function mainThreadMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

describe('a hostile body', () => {
  const kibibyte = 1024
  for (const sizeBytes of [32 * kibibyte, 33 * kibibyte, 4 * kibibyte * kibibyte])
    it(`of ${sizeBytes / kibibyte} KiB takes the main thread less than 5 ms before its signature is verified`, async () => {
      const reader = aReader()
      await reader.head(Buffer.from(`{"a":"${'x'.repeat(40 * kibibyte)}"}`))
      for (const { name, body } of hostileBodies(sizeBytes)) {
        expect(body.length, name).toBeLessThanOrEqual(sizeBytes)
        // The best of up to twenty: slow machines compile in the first few, and any may include a garbage collection.
        let bestMs = Infinity
        for (let round = 0; round < 20 && bestMs >= 5; round++)
          bestMs = Math.min(bestMs, await mainThreadMs(() => reader.head(body)))
        expect(bestMs, name).toBeLessThan(5)
      }
    })

  it('gives the same result whether a thread reads it or not', async () => {
    const reader = aReader()
    for (const filler of [0, 100_000]) {
      const text = (more: object) => JSON.stringify({ filler: 'x'.repeat(filler), ...more })
      const body = Buffer.from(text({ material_id: 'é', content_url: 'u', metadata: { token: 'canary' }, fonts: [1] }))
      expect(await reader.head(body)).toMatchObject({
        ok: true,
        value: { signed: { materialId: 'é', contentUrl: 'u' } },
      })
      const whole = await reader.whole(body)
      expect(whole).toMatchObject({ ok: true, value: { body: { metadata: '{"token":"canary"}', fonts: '[1]' } } })
      expect(whole.ok && whole.value.payload).toContain('"[redacted]"')
      for (const [bytes, problem] of [
        [Buffer.from(text({}).slice(0, -1)), cause('not_json', { why: cause('ends_early') })],
        [Buffer.from(`[${text({})}]`), cause('not_json_object')],
        [Buffer.concat([Buffer.from(text({})), Buffer.from([0xff])]), cause('not_utf8')],
      ] as const) {
        expect(await reader.head(bytes)).toEqual({ ok: false, failure: { kind: 'invalid_request', problem } })
      }
    }
  })

  it('that crashes the thread fails alone: later ones are read', async () => {
    const script = join(await temporaryFolder(), 'thread.cjs')
    await writeFile(
      script,
      `const { parentPort } = require('node:worker_threads')
       parentPort.on('message', ({ input }) => {
         if (input[0] === 1) throw new Error('a bug')
         parentPort.postMessage({ kind: 'done', output: input[0] })
       })`,
    )
    const background = createBackground(script)
    onTestFinished(() => background.close())
    const reader = createBodyReader(background)
    const ends = await Promise.allSettled([1, 2, 1, 3].map((mark) => reader.head(Buffer.alloc(100_000, mark))))
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'failed'))).toEqual(['failed', 2, 'failed', 3])
  })
})
