import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, test } from 'vitest'

import { version } from '../../package.json'
import { commands } from '../../packages/cli/commands.ts'
import { galley, galleyProcess } from './support/cli.ts'
import { aLibrary } from './support/library.ts'

// Rules for every command: global options, exit codes, one JSON value on standard output.

test.for([
  ['an unknown command', ['publish']],
  ['half a command', ['site']],
  ['an unknown option', ['site', 'list', '--all']],
  ['a missing argument', ['site', 'show']],
  ['one argument too many', ['site', 'show', 'acme', 'more']],
  ['an option without its value', ['listen', '--port']],
  ['a port that is none', ['listen', '--port', '70000']],
  ['a number that is none', ['callbacks', '--limit', 'many']],
  ['a limit of zero', ['callbacks', '--limit', '0']],
  ['a word that is not offered', ['callbacks', '--outcome', 'fine']],
  ['an unknown place for secrets', ['site', 'list', '--secrets', 'file']],
  ['a site without its addresses', ['site', 'add', 'acme']],
  ['an environment that is none', ['site', 'add', 'acme', '--environment', 'test']],
  ['an empty material', ['open', 'acme', '']],
  ['a title of 1,001 characters', ['open', 'acme', 'post', '--title', 'x'.repeat(1001)]],
  ['a metadata file that is not there', ['open', 'acme', 'post', '--metadata', '/nowhere.json']],
  ['an export to nowhere', ['export', 'acme']],
  ['a pin that is none', ['export', 'acme', '--out', 'x', '--pin', 'post']],
  ['two pins of a material', ['export', 'acme', '--out', 'x', '--pin', 'post=v1', '--pin', 'post=v2']],
  ['an empty number', ['team', 'decide', '', 'mine']],
  ['a number in another form', ['team', 'decide', '1e3', 'mine']],
  ['a check that is none', ['export', 'acme', '--out', 'x', '--check', 'maybe']],
  ['an emulator in no time', ['emulator', '--now', 'soon']],
  ['a moment that is not written in ISO 8601', ['emulator', '--now', 'Nov 21, 2026']],
  ['a sites file that is not there', ['emulator', '--sites', '/nowhere.json']],
  ['an empty host, which would be every address of this computer', ['listen', '--host', '']],
  ['an empty option of several', ['listen', '--trusted-proxy', '']],
  ['an emulator with an empty secret', ['emulator', '--api-key', 'k', '--secret-stdin']],
  ['an emulator with a header that is none', ['emulator', '--signature-header', 'bad header']],
  ['an emulator with a header that is taken', ['emulator', '--signature-header', 'Authorization']],
  ['an emulator with an address for a domain', ['emulator', '--allowed-domain', 'http://x/y']],
])('%s is wrong usage: exit 2', async ([, args]) => {
  const { run } = await aLibrary()
  const ran = await run(...(args as string[]))
  expect(ran.code, ran.stderr).toBe(2)
  expect(ran.json()).toStrictEqual({ error: { code: 'usage', message: expect.any(String) as string } })
  expect(ran.stderr).toContain('galley: ')
})

test('a file or a secret that is not UTF-8 is wrong usage, and nothing of it is sent or stored', async () => {
  const { folder, library, environment, run } = await aLibrary()
  const file = join(folder, 'latin-1.json')
  await writeFile(file, Buffer.from('{"desk":"Ausland\u00e4"}', 'latin1'))
  const opened = await run('open', 'acme', 'post', '--metadata', file)
  expect([opened.code, opened.failure().message]).toEqual([2, `the metadata file ${file} is not UTF-8 text`])
  const addresses = ['--base-url', 'http://127.0.0.1:1', '--api-key', 'k', '--callback-url', 'http://127.0.0.1:1/cb']
  const add = ['site', 'add', 'acme', ...addresses, '--secret-stdin', '--json', '--library', library]
  const added = await galley(
    add,
    { ...environment, GALLEY_SECRETS: 'keychain' },
    Buffer.from('s\u00fc\u00df', 'latin1'),
  )
  expect([added.code, added.failure().message]).toEqual([2, 'the input is not UTF-8 text'])
  expect((await run('site', 'list')).json()).toEqual([])
})

test('a mistyped command is reported without its arguments, which may contain a password', async () => {
  const { run } = await aLibrary()
  for (const given of [
    ['--auth', 'galley:hunter2'],
    ['http://127.0.0.1:1/', '--auth=galley:hunter2'],
    ['galley:hunter2'],
  ]) {
    const ran = await run('conformanse', ...given)
    expect(ran.code).toBe(2)
    expect(ran.json()).toMatchObject({
      error: { code: 'usage', message: expect.stringContaining('conformanse') as string },
    })
    expect((await run('--auth=galley:hunter2', 'conformance')).stderr).not.toContain('hunter2')
    expect(ran.stdout + ran.stderr).not.toContain('hunter2')
  }
})

test('every command that lacks something, or has too much, is named with what it lacks', async () => {
  const { run } = await aLibrary()
  const messageOf = async (...args: readonly string[]): Promise<string> => {
    const ran = await run(...args)
    const { code, message } = ran.failure()
    expect([ran.code, code], args.join(' ')).toEqual([2, 'usage'])
    return message
  }
  const groups = new Map(commands.map(({ name }) => [name.split(' ')[0] ?? '', name.split(' ')[1]]))
  for (const [group, second] of groups)
    if (second !== undefined && !commands.some(({ name }) => name === group))
      expect(await messageOf(group)).toMatch(new RegExp(`^the command ${group} needs one of these: .*${second}`))
  for (const { name, positionals } of commands) {
    const names = Object.keys(positionals)
    const required = names.filter((each) => !each.startsWith('['))
    if (required.length > 0)
      expect((await messageOf(...name.split(' '))).split('\n')[0]).toBe(
        `the command ${name} needs ${required.join(' and ')}`,
      )
    const secrets = Array.from({ length: names.length + 2 }, () => 'hunter2')
    const [tooMany, usage] = (await messageOf(...name.split(' '), ...secrets)).split('\n')
    expect(tooMany).toBe(`the command ${name} was given 2 values too many`)
    expect(usage).toContain(`usage: galley ${name}`)
  }
  expect(await messageOf('show', 'version', 'acme')).toMatch(/^the command show version needs MATERIAL and VERSION\n/)
  for (const [command, option] of [
    ['prune', '--keep-versions'],
    ['conformance', 'CALLBACK_URL'],
  ])
    expect(await messageOf(command ?? '')).toContain(`the command ${command} needs ${option}`)
  expect(await messageOf('export', 'acme')).toContain('the command export needs --out')
})

test.for([
  ['show', ['site', 'show', 'acme'], 'unknown_site'],
  ['remove', ['site', 'remove', 'acme'], 'unknown_site'],
  ['check', ['site', 'check', 'acme'], 'unknown_site'],
  ['open', ['open', 'acme', 'post'], 'unknown_site'],
  ['materials', ['materials', 'acme'], 'unknown_site'],
  ['versions', ['versions', 'acme', 'post'], 'unknown_site'],
  ['fonts', ['fonts', 'acme'], 'unknown_site'],
  ['show version', ['show', 'version', 'acme', 'post', 'v1'], 'unknown_site'],
  ['export', ['export', 'acme', '--out', 'x'], 'unknown_site'],
  ['callbacks show', ['callbacks', 'show', 'none'], 'unknown_callback'],
  ['callbacks replay', ['callbacks', 'replay', 'none'], 'unknown_callback'],
  ['callbacks dismiss', ['callbacks', 'dismiss', 'none'], 'unknown_callback'],
])('%s of what is not there fails: exit 1', async ([, args, code]) => {
  const { run } = await aLibrary()
  const ran = await run(...(args as string[]))
  expect(ran.code).toBe(1)
  expect(ran.json()).toStrictEqual({ error: { code, message: expect.any(String) as string } })
})

test('a library that cannot be opened is reported with a message and a code, but without a path', async () => {
  const { folder, environment, library, run } = await aLibrary()
  await mkdir(library)
  const db = new BetterSqlite3(join(library, 'index.db'))
  db.exec('CREATE TABLE version (x); PRAGMA user_version = 2')
  const old = await run('site', 'list')
  db.close()
  await writeFile(join(library, 'library.json'), '{"galley":2,"library":"one"}')
  const newer = await run('site', 'list')
  const file = join(folder, 'file')
  await writeFile(file, '')
  const others = [file, ...(process.platform === 'linux' ? ['/proc/galley/library'] : [])].map((place) =>
    galleyProcess(['site', 'list', '--json', '--library', place], environment),
  )
  const ran = [old, newer, ...(await Promise.all(others))]
  const codes = ran.map(({ json }) => (json() as { error: { code: string } }).error.code)
  expect(codes.slice(0, 2)).toEqual(['earlier_library', 'newer_library'])
  expect(new Set(codes.slice(2))).toEqual(new Set(['library_unusable']))
  for (const { code, stdout, stderr } of ran) {
    expect(code).toBe(1)
    expect(stdout + stderr).not.toMatch(/\/proc|galley-cli-|ENOENT|SQLITE/)
  }
})

test('without --json a failure leaves standard output empty', async () => {
  const { library, environment } = await aLibrary()
  const ran = await galleyProcess(['site', 'show', 'acme', '--library', library], environment)
  expect([ran.code, ran.stdout]).toStrictEqual([1, ''])
  expect(ran.stderr).toBe('galley: There is no site acme. Add it first.\n')
})

test('--help and --version answer on standard output, also for one command', async () => {
  const help = await galleyProcess(['--help'])
  expect([help.code, help.stderr]).toStrictEqual([0, ''])
  for (const command of ['site add', 'listen', 'callbacks replay', 'export', 'demo']) {
    expect(help.stdout).toContain(command)
  }
  expect((await galleyProcess(['export', '--help'])).stdout).toContain('--out DIR|FILE.zip')
  expect((await galleyProcess(['--version'])).stdout).toBe(`${version}\n`)
})

test('with --json, help and version are JSON too', async () => {
  const { commands } = (await galleyProcess(['--json', '--help'])).json() as { readonly commands: readonly object[] }
  expect(commands).toContainEqual({
    name: 'materials',
    usage: expect.any(String) as string,
    summary: expect.any(String) as string,
  })
  expect((await galleyProcess(['export', '--help', '--json'])).json()).toMatchObject({
    name: 'export',
    usage: expect.stringContaining('--out DIR|FILE.zip') as string,
  })
  expect((await galleyProcess(['--version', '--json'])).json()).toEqual({ version })
  expect((await galleyProcess(['--json'])).json()).toEqual({ commands })
})

test('global options may come before the command', async () => {
  const { library } = await aLibrary()
  const ran = await galleyProcess(['--json', '--secrets', 'env', '--library', library, 'site', 'list'])
  expect([ran.code, ran.json()]).toStrictEqual([0, []])
})

test('--library names the data folder, GALLEY_LIBRARY does so without it', async () => {
  const { folder, environment } = await aLibrary()
  const list = (args: readonly string[], more: Record<string, string>) =>
    galleyProcess(['site', 'list', '--json', ...args], { ...environment, ...more })
  await list([], { GALLEY_LIBRARY: join(folder, 'by-variable') })
  expect(await readdir(folder)).toStrictEqual(['by-variable'])
  await list(['--library', join(folder, 'by-option')], { GALLEY_LIBRARY: join(folder, 'never') })
  expect((await list(['--library', ''], {})).code).toBe(2)
  expect((await readdir(folder)).toSorted()).toStrictEqual(['by-option', 'by-variable'])
})

test.runIf(process.platform === 'linux')('without either, the library is in the data folder of the user', async () => {
  const { folder, environment } = await aLibrary()
  await galleyProcess(['site', 'list', '--json'], { ...environment, XDG_DATA_HOME: join(folder, 'data') })
  expect(await readdir(join(folder, 'data', 'galley'))).toContain('index.db')
})

test('--secrets wins over GALLEY_SECRETS', async () => {
  const { library } = await aLibrary()
  const ran = await galleyProcess(['site', 'list', '--json', '--library', library, '--secrets', 'env'], {
    GALLEY_SECRETS: 'nonsense',
  })
  expect(ran.code).toBe(0)
})
