/** The folder of the app that packages are made of: what is built, and of its dependencies what the build leaves out. */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'

import type { FoundElectron } from '../runtime/electron.ts'
import { distOf } from '../runtime/official-electron.ts'
import { projectRoot } from '../runtime/project.ts'
import { stampFile } from '../runtime/staleness.ts'

interface Manifest {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly author: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** The project's package.json. */
export const manifest = manifestOf(projectRoot)

/** Native, so not part of the build. All others of `dependencies` are in it. */
const natives = ['better-sqlite3', '@napi-rs/keyring']

/** What a native package has for other platforms, for compilers and for people. */
const unneeded = (name: string): boolean =>
  /^(?:deps|src|binding\.gyp|.*\.md|.*\.d\.ts)$/.test(name) ||
  (name.startsWith('prebuilds/') && name !== `prebuilds/${process.platform}-${process.arch}.node`)

/** Everything that is built, except the source map of the emulator's page: the log names positions in the app's scripts only. */
export const isPartOfApp = (file: string): boolean => basename(file) !== stampFile && !/editor[/\\].*\.map$/.test(file)

/** Copies the app to `target`, which is replaced. With the fallback, its SQLite takes the place of the project's. */
export function stageApp(target: string, electron: Pick<FoundElectron, 'executable' | 'origin'>): void {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(join(target, 'node_modules'), { recursive: true })
  cpSync(join(projectRoot, 'out'), join(target, 'out'), { recursive: true, filter: isPartOfApp })
  for (const name of ['resources', 'LICENSE']) cpSync(join(projectRoot, name), join(target, name), { recursive: true })
  for (const name of nativePackages()) copyPackage(name, target)
  const isFallback = electron.origin === 'fallback'
  if (isFallback) takeFallbackParts(target, distOf(electron.executable))
  const { version, description, license, author } = manifest
  const staged = {
    name: 'galley',
    productName: 'Galley',
    version,
    description,
    license,
    author,
    main: isFallback ? 'fallback.js' : 'out/main/entry.js',
    dependencies: Object.fromEntries(
      natives.map((name) => [name, manifestOf(join(target, 'node_modules', name)).version]),
    ),
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(staged, null, 2)}\n`)
}

/** The native packages with their parts for this platform; those for others are not installed. */
export function nativePackages(): readonly string[] {
  const { optionalDependencies = {} } = manifestOf(join(projectRoot, 'node_modules', '@napi-rs/keyring'))
  const isInstalled = (name: string): boolean => existsSync(join(projectRoot, 'node_modules', name))
  return [...natives, ...Object.keys(optionalDependencies).filter(isInstalled)]
}

function copyPackage(name: string, target: string): void {
  const from = join(projectRoot, 'node_modules', name)
  const isNeeded = (file: string): boolean => !unneeded(relative(from, file))
  cpSync(from, join(target, 'node_modules', name), { recursive: true, filter: isNeeded })
}

/** What the default app of the fallback does for an app in a folder (docs/runtime.md), an archive does for itself. */
function takeFallbackParts(target: string, dist: string): void {
  const from = join(dist, 'resources', 'app')
  const sqlite = join(target, 'node_modules', 'better-sqlite3')
  rmSync(sqlite, { recursive: true })
  for (const name of ['sqlite.js', 'better-sqlite3', 'better_sqlite3.node'])
    cpSync(join(from, name), join(sqlite, name), { recursive: true })
  writeFileSync(
    join(sqlite, 'package.json'),
    JSON.stringify({ name: 'better-sqlite3', version: '12.11.1', main: 'sqlite.js' }),
  )
  cpSync(join(from, 'quit.js'), join(target, 'quit.js'))
  writeFileSync(join(target, 'fallback.js'), `require('./quit.js')\nrequire('./out/main/entry.js')\n`)
}
