/** The command line as a package of npm, for servers: without Electron, with no script that runs at its installation. */

import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

import { capture } from '../runtime/processes.ts'
import { projectRoot } from '../runtime/project.ts'
import { bundledPackages, noticesOf } from './notices.ts'
import { isPartOfApp, manifest } from './stage.ts'

const built = join(projectRoot, 'out')

const readme = `# Galley, the command line

The site side of a hosted layout editor on a server: receives every save, keeps all versions, publishes them.

    npm install --global galley-cli
    galley --help
    galley listen

It needs Node 24, or 22.15 or later of Node 22, and nothing that compiles.
`

/** Lays out the package in `folder`, a new one, and packs it: equal files make equal packages. Returns the file. */
export async function packCommandLine(folder: string, out: string): Promise<string> {
  const target = join(folder, 'package')
  mkdirSync(target, { recursive: true })
  const scripts = closureOf(['cli.js', 'commands.js', 'worker.js', 'background.js'])
  const isPart = (script: string): boolean => scripts.has(relative('main', script)) || script.startsWith('editor')
  for (const file of scripts)
    for (const name of [file, `${file}.map`])
      // Positions in undici and ssh2 are not needed in the log.
      if (existsSync(join(built, 'main', name)) && !/^chunks.(?:undici|lib)-.*\.map$/.test(name))
        cpSync(join(built, 'main', name), join(target, 'out', 'main', name))
  cpSync(join(built, 'editor'), join(target, 'out', 'editor'), { recursive: true, filter: isPartOfApp })
  for (const name of ['resources/themes', 'resources/demo', 'LICENSE', 'CHANGELOG.md'])
    cpSync(join(projectRoot, name), join(target, name), { recursive: true })
  const { version, description, license, author, dependencies = {} } = manifest
  const npmPackage = {
    name: 'galley-cli',
    version,
    description,
    license,
    author,
    bin: { galley: 'galley.js' },
    engines: { node: '^22.15.0 || >=24' },
    dependencies: Object.fromEntries(['@napi-rs/keyring', 'better-sqlite3'].map((name) => [name, dependencies[name]])),
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(npmPackage, null, 2)}\n`)
  writeFileSync(join(target, 'README.md'), readme)
  writeFileSync(join(target, 'NOTICES.txt'), noticesOf(bundledPackages(built, isPart)))
  writeFileSync(join(target, 'galley.js'), "#!/usr/bin/env node\nrequire('./out/main/cli.js')\n")
  chmodSync(join(target, 'galley.js'), 0o755)
  const { code, stdout, stderr } = await capture('npm', ['pack', '--silent', '--pack-destination', out], {
    cwd: target,
  })
  if (code !== 0) throw new Error(`npm pack failed: ${stderr.trim()}`)
  return join(out, stdout.trim())
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

const read = (file: string): string => readFileSync(join(built, 'main', file), 'utf8')
