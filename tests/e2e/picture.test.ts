import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

import { aFolder, aFreePort, projectRoot } from './support/app.ts'
import { electronProcess } from './support/electron.ts'
import { libraryOf } from './support/review.ts'

test('a picture of the window waits for rows and thumbnails, then the app ends', async () => {
  const folder = await aFolder()
  const library = join(folder, 'library')
  const file = join(folder, 'window.png')
  const port = await aFreePort()
  const { environment } = await libraryOf(library, port, {
    blue: [{ html: '<body style="margin:0;height:5000px;background:#0000ff">' }],
  })
  const args = [projectRoot, '--library', library, '--port', String(port), '--screenshot', file]
  const started = electronProcess('slow-machine.cjs', args, {
    XDG_CONFIG_HOME: join(folder, 'profile'),
    ...environment,
  })
  const child = spawn(started.executablePath, started.args, { env: started.env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(code).toBe(0)
  expect((await readFile(file)).subarray(1, 4).toString()).toBe('PNG')
  const { blue } = JSON.parse(said.trim().split('\n').at(-1) ?? '') as { readonly blue: number }
  expect(blue, 'pixels of the thumbnail').toBeGreaterThan(500)
})
