/** Packages of the tree that `layOut` makes, by the system's own tools. Each maker returns the file. */

import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  cpSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { capture } from '../runtime/processes.ts'
import { textFolders } from './command-texts.ts'
import { about, home, type Release } from './installed.ts'
import { askingFor } from './repository-source.ts'
import { manifest } from './stage.ts'

interface Given {
  /** The tree. A maker may write beside it. */
  readonly root: string
  readonly out: string
  readonly release: Release
}

export const makers = { deb: makeDeb, rpm: makeRpm, tar: makeTar } as const

async function run(command: string, args: readonly string[], { madeAt }: Release, cwd: string): Promise<string> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(madeAt), LC_ALL: 'C' }
  const { code, stdout, stderr } = await capture(command, args, { env, cwd })
  if (code !== 0) throw new Error(`${command} failed: ${stderr.trim() || stdout.trim()}`)
  return stdout
}

/** Regular files, by path. */
const filesIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => lstatSync(join(root, name)).isFile())
    .toSorted()

const foldersIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => lstatSync(join(root, name)).isDirectory())
    .toSorted()

function isExecutable(file: string): boolean {
  const start = Buffer.alloc(4)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, start, 0, 4, 0)
  closeSync(descriptor)
  return start.equals(Buffer.from('\x7fELF'))
}

/** Known only at run time: Electron asks for these by name. */
const asked = { needed: ['xdg-utils'], wanted: ['gnome-keyring', 'libnotify4', 'libsecret-1-0'] }

const staysBehind =
  'Galley is removed. What it keeps stays with each person: the library in ~/.local/share/galley, unless they chose another folder, and settings in ~/.config/Galley.'

/** A profile of AppArmor counts once it is loaded; older systems neither know its language nor need it. */
const loadProfile = `if [ -e /etc/apparmor.d/abi/4.0 ] && [ -d /sys/kernel/security/apparmor ] && command -v apparmor_parser > /dev/null; then
  apparmor_parser --replace /etc/apparmor.d/galley
fi`
const dropProfile = loadProfile.replace('--replace', '--remove')

async function makeDeb({ root, out, release }: Given): Promise<string> {
  const file = join(out, `galley_${release.version}_amd64.deb`)
  const asking = release.repository && askingFor(release.repository)
  const files = filesIn(root)
  const bytes = files.reduce((sum, name) => sum + lstatSync(join(root, name)).size, 0)
  const control = [
    'Package: galley',
    `Version: ${release.version}`,
    'Architecture: amd64',
    `Maintainer: ${about.maintainer}`,
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    `Depends: ${[await librariesOf(root, files, release), ...asked.needed, ...(asking ? [asking.depends] : [])].join(', ')}`,
    `Recommends: ${asked.wanted.join(', ')}`,
    'Section: editors',
    'Priority: optional',
    `Description: ${about.summary}`,
    ...about.description.map((line) => ` ${line}`),
  ]
  const script = (...lines: readonly string[]): string => `#!/bin/sh\nset -e\n${lines.join('\n')}\n`
  const parts = {
    control: `${control.join('\n')}\n`,
    conffiles: '/etc/apparmor.d/galley\n',
    md5sums: files
      .filter((name) => !name.startsWith('etc/'))
      .map(
        (name) =>
          `${createHash('md5')
            .update(readFileSync(join(root, name)))
            .digest('hex')}  ${name}\n`,
      )
      .join(''),
    ...asking?.parts,
    postinst: script('if [ "$1" = configure ]; then', loadProfile, 'fi', ...(asking?.write ?? [])),
    prerm: script('if [ "$1" = remove ]; then', dropProfile, 'fi'),
    postrm: script('if [ "$1" = remove ]; then', `  echo "${staysBehind}"`, 'fi', ...(asking?.remove ?? [])),
  }
  mkdirSync(join(root, 'DEBIAN'))
  for (const [name, text] of Object.entries(parts)) {
    writeFileSync(join(root, 'DEBIAN', name), text)
    chmodSync(join(root, 'DEBIAN', name), /^(?:post|pre|config$)/.test(name) ? 0o755 : 0o644)
  }
  await run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z2', '--build', root, file], release, out)
  return file
}

/** The packages of Debian that have the libraries which the executables are linked with. */
async function librariesOf(root: string, files: readonly string[], release: Release): Promise<string> {
  // dpkg-shlibdeps works in the folder of a source package.
  const source = `${root}.source`
  mkdirSync(join(source, 'debian'), { recursive: true })
  writeFileSync(join(source, 'debian', 'control'), 'Source: galley\n\nPackage: galley\nArchitecture: amd64\n')
  const executables = files.map((name) => join(root, name)).filter(isExecutable)
  const args = ['-O', '--ignore-missing-info', `-l${join(root, home)}`, ...executables.map((name) => `-e${name}`)]
  const said = await run('dpkg-shlibdeps', args, release, source)
  const found = /^shlibs:Depends=(.+)$/m.exec(said)?.[1]
  if (found === undefined) throw new Error(`dpkg-shlibdeps found no libraries: ${said}`)
  return found
}

async function makeRpm({ root, out, release }: Given): Promise<string> {
  const file = `galley-${release.version}.x86_64.rpm`
  const paths = filesIn(root).map((name) => `${name.startsWith('etc/') ? '%config ' : ''}"/${name}"`)
  const spec = [
    'Name: galley',
    `Version: ${release.version}`,
    'Release: 1',
    `Summary: ${about.summary}`,
    `License: ${manifest.license}`,
    `Packager: ${about.maintainer}`,
    'Requires: xdg-utils',
    ...asked.wanted.map((name) => `Recommends: ${name === 'libsecret-1-0' ? 'libsecret' : name.replace(/4$/, '')}`),
    // The libraries in the package are for Galley alone: other packages must not use them, and none has to provide them.
    `%global __provides_exclude_from ^${home}/.*$`,
    '%global __requires_exclude ^lib(ffmpeg|EGL|GLESv2|vk_swiftshader|vulkan)\\\\.so.*$',
    '%define __os_install_post %{nil}',
    '%define _build_id_links none',
    `%define _rpmfilename ${file}`,
    '%define use_source_date_epoch_as_buildtime 1',
    '%define clamp_mtime_to_source_date_epoch 1',
    '%define _buildhost galley.example',
    '%define _binary_payload w12.zstdio',
    '%description',
    ...about.description,
    '%post',
    loadProfile,
    '%preun',
    'if [ $1 = 0 ]; then',
    dropProfile,
    'fi',
    '%postun',
    `if [ $1 = 0 ]; then echo "${staysBehind}"; fi`,
    '%files',
    '%defattr(-,root,root,-)',
    // Folders that no line names would stay behind.
    ...[home, '/usr/share/doc/galley'].map((name) => `%dir "${name}"`),
    ...foldersIn(join(root, home)).map((name) => `%dir "${home}/${name}"`),
    '"/usr/bin/galley"',
    ...paths,
  ]
  const specFile = `${root}.spec`
  writeFileSync(specFile, `${spec.join('\n')}\n`)
  const defines = [`_rpmdir ${out}`, `_topdir ${root}.rpm`].flatMap((each) => ['--define', each])
  await run('rpmbuild', ['-bb', '--target', 'x86_64', '--buildroot', root, ...defines, specFile], release, out)
  return join(out, file)
}

/** The app alone, for systems with other packages: `galley-window` and `galley-command` start it from any folder. */
async function makeTar({ root, out, release }: Given): Promise<string> {
  const name = `galley-${release.version}`
  const file = join(out, `${name}.tar.gz`)
  for (const each of textFolders)
    cpSync(join(root, 'usr', 'share', each), join(root, home, 'share', each), { recursive: true })
  const order = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${release.madeAt}`]
  const args = [...order, `--transform=s,^\\./,${name}/,`, '-C', join(root, home), '-cf', `${root}.tar`, '.']
  await run('tar', args, release, out)
  await run('gzip', ['-9', '-n', '-f', `${root}.tar`], release, out)
  await run('mv', [`${root}.tar.gz`, file], release, out)
  return file
}
