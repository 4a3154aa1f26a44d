/** The command line as a package of npm, for servers: without Electron, with no script that runs at its installation. */

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { minify } from 'vite'

import { projectRoot } from '../runtime/project.ts'
import { bundledPackages } from './notices.ts'
import { packNpm, type Edges } from './npm-package.ts'
import { isPartOfApp, manifest } from './stage.ts'

const built = join(projectRoot, 'out')

const readme = `# Galley, the command line

The site side of a hosted layout editor on a server: receives every save, keeps all versions, publishes them.

    npm install --global galley-cli
    galley --help
    galley listen

operations/ has a systemd unit and a compose file. It needs Node 24, or 22.15 or later of Node 22, and nothing that compiles.
`

/** Lays out the package in `folder`, a new one, and packs it. Returns its files. */
export async function packCommandLine(folder: string, edges: Edges): Promise<readonly string[]> {
  const target = join(folder, 'package')
  mkdirSync(target, { recursive: true })
  const scripts = closureOf(['cli.js', 'commands.js', 'worker.js', 'background.js'])
  const isPart = (script: string): boolean => scripts.has(relative('main', script)) || script.startsWith('editor')
  for (const file of scripts) {
    const copy = join(target, 'out', 'main', file)
    cpSync(join(built, 'main', file), copy)
    const map = `${file}.map`
    if (!existsSync(join(built, 'main', map))) continue
    if (isOfOthers(map)) {
      // The log needs no source positions in code of other projects.
      const { code } = await minify(file, read(file), { compress: false, mangle: false })
      writeFileSync(copy, code)
    } else cpSync(join(built, 'main', map), `${copy}.map`)
  }
  cpSync(join(built, 'editor'), join(target, 'out', 'editor'), { recursive: true, filter: isPartOfApp })
  for (const name of ['resources/themes', 'resources/demo'])
    cpSync(join(projectRoot, name), join(target, name), { recursive: true })
  cpSync(join(projectRoot, 'docs/operations'), join(target, 'operations'), { recursive: true })
  const { description, dependencies = {} } = manifest
  return packNpm(target, edges, {
    name: 'galley-cli',
    description,
    command: 'galley',
    script: './out/main/cli.js',
    dependencies: Object.fromEntries(['@napi-rs/keyring', 'better-sqlite3'].map((name) => [name, dependencies[name]])),
    bundled: bundledPackages(built, isPart),
    readme,
  })
}

/** These scripts of main and those that they load, at once or later. */
function closureOf(entries: readonly string[]): ReadonlySet<string> {
  const found = new Set(entries)
  for (const file of found)
    for (const [, specifier = ''] of read(file).matchAll(/require\("(\.[^"]+)"\)/g)) {
      const loaded = normalize(join(dirname(file), specifier))
      // What ssh2 would rather have is in no build.
      if (existsSync(join(built, 'main', loaded))) found.add(loaded)
    }
  return found
}

/** Whether a map is of no code of Galley. */
const isOfOthers = (map: string): boolean =>
  (JSON.parse(read(map)) as { readonly sources: readonly string[] }).sources.every((each) =>
    each.includes('node_modules/'),
  )

const read = (file: string): string => readFileSync(join(built, 'main', file), 'utf8')
