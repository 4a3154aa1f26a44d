import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

import { isPassing } from '../../packages/kit/report/report.ts'
import { runKit } from '../kit/support/kit.ts'
import { aFreePort } from '../support/free-port.ts'

/** The Python backend, which was written from the contract alone. */
async function serve(port: number) {
  const keys = {
    base_url: `http://127.0.0.1:${port}/integration`,
    api_key: 'key-of-python',
    api_secret: 'secret-of-python',
  }
  const script = fileURLToPath(new URL('serve.py', import.meta.url))
  // Its stack traces are on standard error; the verdicts summarize them.
  const python = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(async () => {
    python.stdin.end()
    await once(python, 'close')
  })
  python.stdin.write(`${JSON.stringify(keys)}\n`)
  const [callbackUrl] = (await once(createInterface({ input: python.stdout }), 'line')) as [string]
  return { callbackUrl, apiKey: keys.api_key, secret: keys.api_secret, port }
}

test('a small backend that follows the contract breaks it in no case of the kit', async () => {
  const report = await runKit(await serve(await aFreePort()))
  const failed = (severity: string) =>
    report.outcomes
      .filter((each) => each.result === 'failed' && each.case.severity === severity)
      .map((each) => each.case.id)
  expect(failed('breaks the contract')).toEqual([])
  // It accepts any signed URL, and an asset whose file was never sent.
  expect(failed('unsafe').toSorted()).toEqual(['asset-without-file', 'content-url-elsewhere', 'signature-boundary'])
  // All that the contract wants could be checked.
  expect(isPassing(report, { failOn: 'breaks the contract', allowUnchecked: false })).toBe(true)
  expect(report.cutShort).toBeNull()
})
