import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { commandTexts } from '../../scripts/package/command-texts.ts'
import { home, layOut } from '../../scripts/package/installed.ts'
import { bundledPackages, noticesOf } from '../../scripts/package/notices.ts'
import { aFolder, aFreePort, projectRoot } from './support/app.ts'

// The package as people install it: its files, its command, its licences.

const madeAt = 1_790_000_000
const electron = process.env['GALLEY_TEST_ELECTRON'] ?? ''
const bundled = bundledPackages(join(projectRoot, 'out'))
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'galley-installed-'))
  const licences = { own: 'ours', others: noticesOf(bundled) }
  const command = await commandTexts(madeAt)
  layOut(root, dirname(electron), { version: '0.1.0', madeAt, repository: null }, { licences, command })
})

afterAll(() => rm(root, { recursive: true }))

/** The installed command with these words, where there is no display. */
function command(...words: readonly string[]) {
  const { DISPLAY: _, ...env } = process.env
  return spawn(join(root, home, 'galley-command'), words, { env })
}

async function outcome(child: ReturnType<typeof command>) {
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (bytes: Buffer) => (said[stream] += bytes.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}

test('the command of a package needs no display, and says its own words alone', async () => {
  const library = await aFolder()
  expect(await outcome(command('--version'))).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' })
  expect(await outcome(command('site', 'list', '--json', '--library', library))).toEqual({
    code: 0,
    stdout: '[]\n',
    stderr: '',
  })
  expect(await outcome(command('--no-sandbox', 'fly'))).toMatchObject({ code: 2, stdout: '' })
  const wrong = await outcome(command('fly', '--library', library))
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toMatch(/^galley: there is no command fly[^\n]*\n$/)
})

test('man and shells know the command', async () => {
  const read = (path: string) => readFile(join(root, 'usr', 'share', path))
  expect(gunzipSync(await read('man/man1/galley.1.gz')).toString()).toContain('\n.SS galley site add ')
  expect((await read('bash-completion/completions/galley')).toString()).toContain(
    'complete -o default -F _galley galley',
  )
  for (const folder of ['vendor-completions', 'site-functions'])
    expect((await read(`zsh/${folder}/_galley`)).toString()).toMatch(/^#compdef galley\n/)
  expect((await read('fish/vendor_completions.d/galley.fish')).toString()).toContain('complete -c galley ')
})

test('the command listens, and a signal ends it in order', async () => {
  const port = await aFreePort()
  const child = command('listen', '--port', String(port), '--secrets', 'env', '--library', await aFolder())
  const ended = outcome(child)
  await once(child.stdout, 'data')
  expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBeLessThan(500)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})

test('a command that is typed at the window is told where to go', async () => {
  const child = spawn(electron, ['list', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])])
  const { code, stderr } = await outcome(child)
  expect(code).toBe(2)
  expect(stderr).toContain('Type: galley list')
})

test('files have the date of the release and modes that nobody but root may write', async () => {
  for (const name of await readdir(root, { recursive: true })) {
    const file = await lstat(join(root, name))
    expect(file.mtimeMs, name).toBe(madeAt * 1000)
    expect(file.mode & 0o022 && !file.isSymbolicLink(), name).toBeFalsy()
  }
  expect((await lstat(join(root, home, 'chrome-sandbox'))).mode & 0o7777).toBe(0o4755)
  const entry = await readFile(join(root, 'usr/share/applications/app.galley.Galley.desktop'), 'utf8')
  expect(entry).toContain(`Exec=${home}/galley-window -- %U`)
})

test('each package whose code is in Galley has its licence text in the notices', async () => {
  const names = bundled.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['react', 'undici', 'ssh2', 'zod', 'better-sqlite3', '@napi-rs/keyring']),
  )
  expect(names).not.toContain('electron-builder')
  expect(bundled.filter(({ text, licence }) => text === null || licence === 'unknown')).toEqual([])
  const notices = await readFile(join(root, home, 'NOTICES.txt'), 'utf8')
  for (const { name, version } of bundled) expect(notices).toContain(`${name} ${version} (`)
})
