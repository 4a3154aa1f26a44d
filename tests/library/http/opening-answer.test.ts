import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { answeringWhile } from '../../../packages/library/http/opening-answer.ts'
import { aFreePort } from '../../support/free-port.ts'
import { fillLibrary } from '../../support/large-library.ts'
import { openGalley } from '../../support/open-galley.ts'
import { send, temporaryFolder } from '../../support/test-galley.ts'
import { acme } from '../db/sample.ts'

const answerAt = (url: string) => send(`${url}/callback/acme`, 'POST', '{}').catch(() => null)

test('while a library is being rebuilt, its last address answers busy; then the listener takes over', async () => {
  const folder = await temporaryFolder()
  await fillLibrary(folder, acme, { materials: 100, versions: 6000, callbacks: 0 })
  const port = await aFreePort()
  const first = await openGalley({ folder })
  await first.listener.start('127.0.0.1', port)
  await first.close()
  rmSync(join(folder, 'index.db'))

  const opening = openGalley({ folder, isAboutToListen: true })
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() => answerAt(url), { interval: 10 })
    .toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      json: { rc: 0, code: 'busy', rm: expect.stringContaining('Galley is opening its library. Nothing was saved.') },
    })
  const galley = await opening
  expect(galley.library.notes).toMatchObject([{ kind: 'rebuilt', cause: 'missing' }])
  expect(await galley.listener.start('127.0.0.1', port)).toMatchObject({ kind: 'listening', url })
  await galley.close()
})

test('a library that opens at once, or cannot be opened, does not use the address', async () => {
  const url = `http://127.0.0.1:${await aFreePort()}`
  expect(await answeringWhile(url, () => Promise.resolve('open'))).toBe('open')
  await expect(answeringWhile(url, () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged')
  expect(await answerAt(url)).toBe(null)
})
