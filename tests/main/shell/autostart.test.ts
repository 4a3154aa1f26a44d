import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'

import { autostartFile, setAutostart } from '../../../src/main/shell/autostart.ts'
import { temporaryFolder } from '../../support/test-galley.ts'

/** The command of a desktop entry, parsed in the order of the specification: the value, its quotes, its field codes. */
function commandIn(entry: string): readonly string[] {
  const lines = entry.split('\n')
  expect(lines.map((line) => line.split('=', 1)[0])).toEqual(['[Desktop Entry]', 'Type', 'Name', 'Exec', ''])
  const value = (lines[3] ?? '')
    .slice('Exec='.length)
    .replaceAll(/\\([sntr\\])/g, (_, sign: string) => ({ s: ' ', n: '\n', t: '\t', r: '\r' })[sign] ?? sign)
  const quoted = value.match(/"(?:[^"\\`$]|\\["`$\\])*"/gs) ?? []
  expect(quoted.join(' ')).toBe(value)
  const plain = quoted.map((argument) => argument.slice(1, -1).replaceAll(/\\(["`$\\])/g, '$1'))
  for (const argument of plain) expect(argument.replaceAll('%%', '')).not.toContain('%')
  return plain.map((argument) => argument.replaceAll('%%', '%'))
}

it('a command starts at login until it is removed', async () => {
  const file = autostartFile(await temporaryFolder())
  await setAutostart(file, null)
  await setAutostart(file, ['/opt/my apps/galley', '--library', '/home/ida/100% "mine" $HOME \\ `x`'])
  expect(await readFile(file, 'utf8')).toBe(
    [
      '[Desktop Entry]',
      'Type=Application',
      'Name=Galley',
      String.raw`Exec="/opt/my apps/galley" "--library" "/home/ida/100%% \\"mine\\" \\$HOME \\\\ \\${'`'}x\\${'`'}"`,
      '',
    ].join('\n'),
  )
  await setAutostart(file, null)
  expect(existsSync(file)).toBe(false)
})

it('any characters in a path are read back by the desktop, and never become another key', async () => {
  const file = autostartFile(await temporaryFolder())
  const signs = fc.constantFrom(
    '/',
    ' ',
    '"',
    "'",
    '\\',
    '`',
    '$',
    '%',
    '%U',
    '=',
    ';',
    '~',
    '\n',
    '\r',
    '\t',
    'n',
    'é',
  )
  const argument = fc.array(signs, { maxLength: 12 }).map((each) => each.join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(argument, { minLength: 1, maxLength: 3 }), async (command) => {
      await setAutostart(file, command)
      expect(commandIn(await readFile(file, 'utf8'))).toEqual(command)
    }),
  )
  await setAutostart(file, ['/opt/galley', '--library', '/tmp/a\nExec=/bin/false'])
  expect(commandIn(await readFile(file, 'utf8'))).toEqual(['/opt/galley', '--library', '/tmp/a\nExec=/bin/false'])
})
