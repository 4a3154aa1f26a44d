import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { isPassing } from '../../../packages/kit/report/report.ts'
import { aFreePort } from '../../support/free-port.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { failedIn, runKit } from '../support/kit.ts'

const samples = join(import.meta.dirname, '../../../packages/kit/samples')
const secret = 'the secret of a sample'

/** Starts a sample and waits until it listens. Its servers are one group of processes. */
async function started(command: string, ...args: readonly string[]) {
  const [ownPort, port] = [await aFreePort(), await aFreePort()]
  const child = spawn(
    command,
    args.map((each) => each.replace('PORT', String(ownPort))),
    {
      cwd: samples,
      env: {
        ...process.env,
        API_SECRET: secret,
        BASE_URL: `http://127.0.0.1:${port}/integration`,
        DATA: join(await temporaryFolder(), 'data'),
        PHP_CLI_SERVER_WORKERS: '4',
        PORT: String(ownPort),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  )
  const gone = once(child, 'close')
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
    await gone
  })
  const said: string[] = []
  const speaks = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said.push(text)
      speaks.resolve()
    })
  await Promise.race([speaks.promise, gone.then(() => Promise.reject(new Error(`The sample ended: ${said.join('')}`)))])
  const own = `http://127.0.0.1:${ownPort}`
  return { port, page: `${own}/page/{material}`, open: `${own}/open`, callbackUrl: `${own}/callback` }
}

// What each leaves open is advice of the kit that would cost a sample more lines than it is worth.
test.for([
  ['node', [process.execPath, 'backend.mjs'], ['state-as-written', 'version-other-bytes']],
  ['php', ['php', '-S', '127.0.0.1:PORT', 'backend.php'], ['entry-nul', 'state-half-surrogate', 'version-other-bytes']],
  [
    'python',
    ['python3', 'backend.py'],
    ['archive-size-less', 'archive-two-ends', 'http-body-in-pieces', 'version-other-bytes'],
  ],
] as const)('the sample in %s passes the kit', async ([, [command, ...args], advice]) => {
  const { port, page, open, callbackUrl } = await started(command, ...args)
  const materials = ['post-1', 'post-2', 'Ж-3']
  let isOpened = false
  const opens = Promise.withResolvers<Response>()
  const report = await runKit(
    { callbackUrl, apiKey: 'emulator-dev', secret, port },
    {
      materials,
      pageTemplate: page,
      onOutcome() {
        if (!isOpened) opens.resolve(fetch(`${open}/post-1`, { redirect: 'manual' }))
        isOpened = true
      },
    },
  )
  expect(report.cutShort).toBeNull()
  expect(Object.keys(failedIn(report)).toSorted()).toEqual(advice)
  expect(isPassing(report, { failOn: 'unsafe', allowUnchecked: false })).toBe(true)
  expect((await opens.promise).status).toBe(303)
})
