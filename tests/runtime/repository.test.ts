import { appendFile, chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'

import { makeRepository } from '../../scripts/package/repository.ts'
import { ensureSystem } from '../../scripts/runtime/debian.ts'
import { capture } from '../../scripts/runtime/processes.ts'
import { temporaryFolder } from '../support/test-galley.ts'

beforeAll(() => ensureSystem(['repository']))

async function run(command: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await capture(command, args, { env: { ...process.env, LC_ALL: 'C' } })
  if (code !== 0) throw new Error(`${command}: ${stderr}`)
  return stdout
}

/** A key of its own, for which nobody is asked for a passphrase. */
async function aKey(): Promise<string> {
  const home = await temporaryFolder()
  await chmod(home, 0o700)
  process.env.GNUPGHOME = home
  onTestFinished(() => void capture('gpgconf', ['--homedir', home, '--kill', 'gpg-agent']))
  await run('gpg', '--batch', '--pinentry-mode', 'loopback', '--passphrase', '', '--quick-gen-key', 'Test', 'ed25519')
  return /^fpr:+([0-9A-F]+):/m.exec(await run('gpg', '--list-keys', '--with-colons'))?.[1] ?? ''
}

async function aPackage(folder: string, version: string): Promise<void> {
  const tree = await temporaryFolder()
  await chmod(tree, 0o755)
  await mkdir(join(tree, 'DEBIAN'))
  const fields = [
    'Package: galley',
    `Version: ${version}`,
    'Architecture: amd64',
    'Maintainer: Nobody <no@one.example>',
  ]
  await writeFile(join(tree, 'DEBIAN', 'control'), `${fields.join('\n')}\nDescription: a test\n`)
  await run('dpkg-deb', '--root-owner-group', '--build', tree, join(folder, `galley_${version}_amd64.deb`))
}

/** What apt of a person who trusts a key offers and downloads from a repository. */
async function apt(repository: string, key: string) {
  const state = await temporaryFolder()
  for (const name of ['lists/partial', 'cache/archives/partial', 'etc', 'download'])
    await mkdir(join(state, name), { recursive: true })
  await writeFile(join(state, 'status'), '')
  await copyFile(key, join(state, 'key.gpg'))
  await writeFile(
    join(state, 'etc', 'galley.sources'),
    `Types: deb\nURIs: file:${join(repository, 'apt')}\nSuites: stable\nComponents: main\nSigned-By: ${join(state, 'key.gpg')}\n`,
  )
  const options = [
    ['Dir::Etc', join(state, 'etc')],
    ['Dir::Etc::SourceList', '/dev/null'],
    ['Dir::Etc::SourceParts', join(state, 'etc')],
    ['Dir::State', state],
    ['Dir::State::Status', join(state, 'status')],
    ['Dir::Cache', join(state, 'cache')],
    ['APT::Sandbox::User', 'root'],
    ['APT::Architecture', 'amd64'],
    ['APT::Update::Error-Mode', 'any'],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const update = await capture('apt-get', [...options, 'update'], { env: { ...process.env, LC_ALL: 'C' } })
  const policy = await run('apt-cache', ...options, 'policy', 'galley').catch(() => '')
  const download = await capture('apt-get', [...options, 'download', 'galley'], { cwd: join(state, 'download') })
  return {
    isUpdated: update.code === 0,
    says: `${update.stderr}${download.stderr}`,
    offers: /Candidate: (\S+)/.exec(policy)?.[1] ?? null,
    isDownloaded: download.code === 0,
  }
}

/** A repository with one package, and then with a newer one too. */
async function aRepository() {
  const from = await temporaryFolder()
  const out = await temporaryFolder()
  const key = await aKey()
  await aPackage(from, '0.1.0')
  await makeRepository({ from, out, key })
  const before = await apt(out, join(out, 'galley.gpg'))
  await rm(join(from, 'galley_0.1.0_amd64.deb'))
  await aPackage(from, '0.1.1')
  await makeRepository({ from, out, key })
  return { out, key, before, publicKey: join(out, 'galley.gpg') }
}

test('apt gets the newest package of a repository that the release key signed', async () => {
  const { out, before, publicKey } = await aRepository()
  expect(before).toMatchObject({ isUpdated: true, offers: '0.1.0', isDownloaded: true })
  expect(await apt(out, publicKey)).toMatchObject({ isUpdated: true, offers: '0.1.1', isDownloaded: true })
})

const release = join('apt', 'dists', 'stable', 'InRelease')
const indexes = ['Packages', 'Packages.gz'].map((name) => join('apt', 'dists', 'stable', 'main', 'binary-amd64', name))

test.each<[string, (out: string) => Promise<unknown>, { isUpdated: boolean; offers: string | null }]>([
  [
    'a byte of the package',
    (out) => appendFile(join(out, 'apt', 'pool', 'galley_0.1.1_amd64.deb'), 'x'),
    { isUpdated: true, offers: '0.1.1' },
  ],
  [
    'the list of packages',
    (out) => Promise.all(indexes.map((name) => appendFile(join(out, name), '\n'))),
    { isUpdated: false, offers: null },
  ],
  [
    'what is signed',
    async (out) => {
      const text = await readFile(join(out, release), 'utf8')
      await writeFile(join(out, release), text.replace('Label: Galley', 'Label: Gallex'))
    },
    { isUpdated: false, offers: null },
  ],
  ['the signature away', (out) => rm(join(out, release)), { isUpdated: false, offers: null }],
  [
    'the key',
    async (out) => {
      const from = await temporaryFolder()
      await aPackage(from, '0.1.1')
      const kept = await readFile(join(out, 'galley.gpg'))
      await makeRepository({ from, out, key: await aKey() })
      await writeFile(join(out, 'galley.gpg'), kept)
    },
    { isUpdated: false, offers: null },
  ],
])('whoever changes %s gets nothing installed', async (_what, change, expected) => {
  const { out, publicKey } = await aRepository()
  await change(out)
  expect(await apt(out, publicKey)).toMatchObject({ ...expected, isDownloaded: false })
})

test('packages and their list are signed for dnf', async () => {
  const from = await temporaryFolder()
  const out = await temporaryFolder()
  const spec = join(from, 'galley.spec')
  const fields = ['Name: galley', 'Version: 0.1.0', 'Release: 1', 'Summary: a test', 'License: MIT']
  await writeFile(spec, `${[...fields, '%description', 'A test.', '%files'].join('\n')}\n`)
  const folders = [`_topdir ${from}`, `_rpmdir ${from}`, '_rpmfilename galley-0.1.0.x86_64.rpm']
  await run('rpmbuild', '-bb', '--target', 'x86_64', ...folders.flatMap((each) => ['--define', each]), spec)
  const key = await aKey()
  expect(await makeRepository({ from, out, key })).toEqual(['galley-0.1.0.x86_64.rpm'])

  const database = ['--dbpath', await temporaryFolder()]
  const check = () => capture('rpmkeys', [...database, '--checksig', '-v', join(out, 'rpm', 'galley-0.1.0.x86_64.rpm')])
  expect((await check()).code, 'before the key is trusted').not.toBe(0)
  await writeFile(join(out, 'key.asc'), await run('gpg', '--armor', '--export', key))
  await run('rpmkeys', ...database, '--import', join(out, 'key.asc'))
  expect((await check()).stdout).toMatch(/Signature.*: OK/)
  const list = join(out, 'rpm', 'repodata', 'repomd.xml')
  const verify = () => capture('gpgv', ['--keyring', join(out, 'galley.gpg'), `${list}.asc`, list])
  expect((await verify()).code).toBe(0)
  await appendFile(list, '\n')
  expect((await verify()).code, 'after a change').not.toBe(0)
})
