/** A signed repository for apt and dnf, made of packages. */

import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { capture, onPath } from '../runtime/processes.ts'

interface Given {
  /** The folder with the packages. */
  readonly from: string
  /** The folder of the repository. What is in it is replaced, older packages stay. */
  readonly out: string
  /** The fingerprint of the release key in GnuPG. */
  readonly key: string
}

/** Makes `OUT/apt`, `OUT/rpm` and `OUT/galley.gpg`, the public key. Returns the names of the packages. */
export async function makeRepository({ from, out, key }: Given): Promise<readonly string[]> {
  const packages = readdirSync(from).filter((name) => /^galley[_-].*\.(?:deb|rpm)$/.test(name))
  mkdirSync(out, { recursive: true })
  await run('gpg', ['--batch', '--yes', '--output', join(out, 'galley.gpg'), '--export', key], out)
  await forApt(
    join(out, 'apt'),
    packages.filter((name) => name.endsWith('.deb')).map((name) => join(from, name)),
    key,
  )
  await forDnf(
    join(out, 'rpm'),
    packages.filter((name) => name.endsWith('.rpm')).map((name) => join(from, name)),
    key,
  )
  return packages
}

async function forApt(root: string, files: readonly string[], key: string): Promise<void> {
  if (files.length === 0) return
  put(join(root, 'pool'), files)
  const suite = join(root, 'dists', 'stable')
  const listed = await run('dpkg-scanpackages', ['--multiversion', 'pool'], root)
  write(join(suite, 'main', 'binary-amd64', 'Packages'), listed)
  write(join(suite, 'main', 'binary-amd64', 'Packages.gz'), gzipSync(listed))
  const indexes = ['main/binary-amd64/Packages', 'main/binary-amd64/Packages.gz'].map((name) => {
    const bytes = readFileSync(join(suite, name))
    return ` ${createHash('sha256').update(bytes).digest('hex')} ${bytes.length} ${name}`
  })
  const release = [
    'Origin: Galley',
    'Label: Galley',
    'Suite: stable',
    'Codename: stable',
    'Architectures: amd64',
    'Components: main',
    `Date: ${new Date().toUTCString().replace('GMT', 'UTC')}`,
    'SHA256:',
    ...indexes,
  ]
  write(join(suite, 'Release'), `${release.join('\n')}\n`)
  await run('gpg', [...signing(key), '--clearsign', '--output', join(suite, 'InRelease'), join(suite, 'Release')], root)
}

async function forDnf(root: string, files: readonly string[], key: string): Promise<void> {
  if (files.length === 0) return
  put(root, files)
  // Debian's rpm looks for a gpg2.
  const defined = ['--define', `_gpg_name ${key}`, '--define', `__gpg ${onPath('gpg')}`]
  for (const file of readdirSync(root).filter((name) => name.endsWith('.rpm')))
    await run('rpmsign', [...defined, '--addsign', file], root)
  await run('createrepo_c', ['--quiet', '.'], root)
  await run('gpg', [...signing(key), '--armor', '--detach-sign', join('repodata', 'repomd.xml')], root)
}

const signing = (key: string): readonly string[] => ['--batch', '--yes', '--local-user', key]

function put(folder: string, files: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  for (const file of files) copyFileSync(file, join(folder, basename(file)))
}

function write(file: string, bytes: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await capture(command, args, { cwd, env: { ...process.env, LC_ALL: 'C' } })
  if (code !== 0) throw new Error(`${command} failed: ${stderr.trim() || stdout.trim()}`)
  return stdout
}
