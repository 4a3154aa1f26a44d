/** Names the Debian packages that a command needs, and installs the missing ones where possible. */

import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { withLock } from './lock.ts'
import { capture, onPath } from './processes.ts'
import { Unavailable } from './unavailable.ts'

/** What a command may require of the system. */
export type Need =
  | 'electron'
  | 'display'
  | 'secret-service'
  | 'python'
  | 'php'
  | 'network'
  | 'bench'
  | 'trace'
  | 'clock'
  | 'storage'
  | 'peers'
  | 'tools'
  | 'package'
  | 'repository'

const partNames: Record<Need, string> = {
  electron: 'Electron',
  display: 'Display',
  'secret-service': 'Secret Service',
  python: 'Python',
  php: 'PHP',
  network: 'Network namespace',
  bench: 'Benchmark',
  trace: 'System call tracing',
  clock: 'False clock',
  storage: 'S3 storage',
  peers: 'Other programs',
  tools: 'Test tools',
  package: 'Packaging',
  repository: 'Repository',
}

/**
 * A package under its present and former names. The first one that the release has is installed. `command` proves its
 * presence without dpkg.
 */
type Wanted = { readonly names: readonly [string, ...string[]]; readonly command?: string }

/** A missing package, and the part of the runtime that requires it. */
type Missing = Wanted & { readonly part: string }

const wanted: Record<Need, readonly Wanted[]> = {
  electron: [
    { names: ['libgtk-3-0', 'libgtk-3-0t64'] },
    { names: ['libnss3'] },
    { names: ['libasound2', 'libasound2t64'] },
    { names: ['libgbm1'] },
  ],
  display: [{ names: ['xvfb'], command: 'Xvfb' }],
  'secret-service': [
    { names: ['dbus'], command: 'dbus-daemon' },
    { names: ['gnome-keyring'], command: 'gnome-keyring-daemon' },
  ],
  python: [{ names: ['python3'], command: 'python3' }],
  php: [{ names: ['php-cli'], command: 'php' }, { names: ['php-curl'] }, { names: ['php-zip'] }],
  network: [
    { names: ['iproute2'], command: 'ip' },
    { names: ['util-linux'], command: 'unshare' },
  ],
  bench: [
    { names: ['curl'], command: 'curl' },
    { names: ['unzip'], command: 'unzip' },
  ],
  trace: [{ names: ['strace'], command: 'strace' }],
  clock: [{ names: ['faketime'], command: 'faketime' }],
  storage: [
    { names: ['radosgw'], command: 'radosgw' },
    { names: ['ceph-mon'], command: 'ceph-mon' },
    { names: ['ceph-osd'], command: 'ceph-osd' },
  ],
  peers: [
    { names: ['openssh-server'], command: 'sshd' },
    { names: ['haproxy'], command: 'haproxy' },
    { names: ['fish'], command: 'fish' },
    { names: ['zsh'], command: 'zsh' },
    { names: ['mandoc'], command: 'mandoc' },
  ],
  tools: [
    { names: ['openssl'], command: 'openssl' },
    { names: ['libarchive-tools'], command: 'bsdtar' },
    { names: ['p7zip-full', '7zip'], command: '7z' },
    { names: ['gcc'], command: 'gcc' },
    { names: ['libc6-dev'] },
  ],
  package: [
    { names: ['dpkg-dev'], command: 'dpkg-shlibdeps' },
    { names: ['rpm'], command: 'rpmbuild' },
  ],
  repository: [
    { names: ['dpkg-dev'], command: 'dpkg-scanpackages' },
    { names: ['rpm'], command: 'rpmsign' },
    { names: ['createrepo-c'], command: 'createrepo_c' },
    { names: ['gnupg'], command: 'gpg' },
  ],
}

/** The packages with status `installed` in the output of `dpkg-query -W -f '${Package} ${db:Status-Status}\n'`. */
export function installedAmong(dpkgOutput: string): ReadonlySet<string> {
  const lines = dpkgOutput.split('\n').map((line) => line.split(' '))
  return new Set(lines.filter(([, status]) => status === 'installed').map(([name = '']) => name))
}

/** The packages of these needs, each under all its names. */
export const packagesOf = (needs: readonly Need[]): readonly (readonly string[])[] =>
  needs.flatMap((need) => wanted[need].map(({ names }) => names))

/** The packages that are missing for these needs. */
async function missingFor(needs: readonly Need[]): Promise<readonly Missing[]> {
  const unproven = needs
    .flatMap((need) => wanted[need].map((item) => ({ ...item, part: partNames[need] })))
    .filter(({ command }) => !command || !onPath(command))
  if (unproven.length === 0) return []
  // Without dpkg, missing libraries are unknown. Electron's loader then names the one that it does not find.
  if (!onPath('dpkg-query')) return unproven.filter(({ command }) => command)
  const names = unproven.flatMap((item) => item.names)
  const query = await capture('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\\n', ...names])
  const installed = installedAmong(query.stdout)
  return unproven.filter((item) => !item.names.some((name) => installed.has(name)))
}

/** Makes sure that the system has these packages: installs them as root on Debian, otherwise prints the command. Linux only. */
export async function ensureSystem(needs: readonly Need[]): Promise<void> {
  if (process.platform !== 'linux') return
  if ((await missingFor(needs)).length === 0) return
  // apt's own locks make a concurrent run fail instead of wait.
  await withLock(join(tmpdir(), `galley-apt-${process.getuid?.()}.lock`), async () => {
    const missing = await missingFor(needs)
    if (missing.length > 0) await install(missing)
  })
}

async function install(missing: readonly Missing[]): Promise<void> {
  const part = [...new Set(missing.map((item) => item.part))].join(', ')
  const firstNames = missing.map((item) => item.names[0])
  if (!onPath('apt-get')) {
    const commands = missing.map((item) => item.command ?? item.names[0])
    throw new Unavailable(part, `this machine lacks ${commands.join(', ')}. Install what provides them.`)
  }
  if (process.getuid?.() !== 0) {
    const line = `sudo apt-get install --no-install-recommends ${firstNames.join(' ')}`
    throw new Unavailable(part, `this machine lacks ${firstNames.join(', ')}. Run: ${line}`)
  }
  console.error(`Debian packages: installing ${firstNames.join(', ')}, once`)
  // At this level, packages do not start their services.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const updated = await capture('apt-get', ['-q', 'update'], { env })
  const names = await Promise.all(missing.map(nameOnThisRelease))
  const args = ['-q', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', 'install', ...names]
  const installed = await capture('apt-get', args, { env })
  if (installed.code === 0) return
  const said = `${updated.stderr}${installed.stdout}${installed.stderr}`.trim().split('\n').slice(-15).join('\n')
  throw new Unavailable(part, `apt-get could not install ${names.join(', ')}.\n${said}`)
}

async function nameOnThisRelease({ names }: Wanted): Promise<string> {
  for (const name of names) {
    if ((await capture('apt-cache', ['show', '--no-all-versions', name])).code === 0) return name
  }
  return names[0]
}
