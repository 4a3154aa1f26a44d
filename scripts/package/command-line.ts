/** The command line as a package of npm, for servers: without Electron, with no script that runs at its installation. */

import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

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

It needs Node 24, or 22.15 or later of Node 22, and nothing that compiles.
`

/** Lays out the package in `folder`, a new one, and packs it. Returns its files. */
export async function packCommandLine(folder: string, edges: Edges): Promise<readonly string[]> {
  const target = join(folder, 'package')
  mkdirSync(target, { recursive: true })
  const scripts = closureOf(['cli.js', 'commands.js', 'worker.js', 'background.js'])
  const isPart = (script: string): boolean => scripts.has(relative('main', script)) || script.startsWith('editor')
  for (const file of scripts)
    for (const name of [file, `${file}.map`])
      if (existsSync(join(built, 'main', name)) && !(name.endsWith('.map') && isOfOthers(name)))
        cpSync(join(built, 'main', name), join(target, 'out', 'main', name))
  cpSync(join(built, 'editor'), join(target, 'out', 'editor'), { recursive: true, filter: isPartOfApp })
  for (const name of ['resources/themes', 'resources/demo'])
    cpSync(join(projectRoot, name), join(target, name), { recursive: true })
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

/** Whether a map is of code that is not Galley's alone: the log can do without positions in it. */
const isOfOthers = (map: string): boolean =>
  (JSON.parse(read(map)) as { readonly sources: readonly string[] }).sources.every((each) =>
    each.includes('node_modules/'),
  )

const read = (file: string): string => readFileSync(join(built, 'main', file), 'utf8')
