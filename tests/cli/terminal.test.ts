import { expect, test } from 'vitest'

import { galley } from './support/cli.ts'
import { aLibrary, aNewsroom, aPage } from './support/library.ts'

// What comes from a service, an archive or a script may contain characters that move the cursor or forge output.

/** A red title for the terminal, and an override of the direction of the text. */
const hostile = '\u001b]0;title\u0007\u001b[31mred\u202etxt'
const harmless = '�]0;title��[31mred�txt'

test('messages and texts show no control characters, whatever they quote', async () => {
  const { run, library, environment } = await aLibrary()
  const addresses = ['--base-url', 'http://127.0.0.1:1', '--api-key', 'k', '--callback-url', 'http://127.0.0.1:1/cb']
  const named = await run('site', 'add', 'acme', '--name', hostile, ...addresses)
  expect(named.json()).toMatchObject({ name: hostile })
  const inText = (...args: string[]) => galley([...args, '--library', library], environment)
  expect((await inText('site', 'show', 'acme')).stdout).toContain(`${harmless}\n`)
  expect((await inText('versions', hostile, 'a')).stderr).toBe(`galley: There is no site ${harmless}. Add it first.\n`)
  expect((await inText('material', 'archive', 'acme', hostile)).stderr).toContain(`no material ${harmless}.`)
})

test('a stored page and its state are printed byte by byte', async () => {
  const { run, save, library, environment } = await aNewsroom()
  const { fingerprint } = (await run('open', 'acme', 'post-1')).json() as { fingerprint: string }
  const page = { ...aPage('First'), html: `<p>${hostile}\r\n\t</p>` }
  const { version_id: version = '' } = await save(fingerprint, page)
  const shown = await galley(
    ['show', 'version', 'acme', 'post-1', version, '--html', '--library', library],
    environment,
  )
  expect(shown.stdout).toBe(`${page.html}\n`)
})
