/**
 * `npm run package -- KIND... [--out DIR] [--fallback-electron] [--repository URL --repository-key FILE]`: makes packages. KIND is
 * deb, rpm, tar, appimage, nsis, dmg or zip for the app, cli for the command line alone, kit for developers of a backend. Prints a line for each file. A `.deb` with a repository asks at its
 * installation whether newer packages shall come from there.
 */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import {
  type Builder,
  builders,
  demandSystem,
  folderOfPackage,
  packageByBuilder,
  packageFolder,
} from './package/build-package.ts'
import { packCommandLine } from './package/command-line.ts'
import { commandTexts } from './package/command-texts.ts'
import { layOut, type Release } from './package/installed.ts'
import { packKit } from './package/kit.ts'
import { makers } from './package/makers.ts'
import { bundledPackages, type Bundled, noticesOf } from './package/notices.ts'
import type { Repository } from './package/repository-source.ts'
import { partsOfElectron, sbomOf } from './package/sbom.ts'
import { manifest } from './package/stage.ts'
import { ensureBuilt } from './runtime/built.ts'
import { ensureSystem } from './runtime/debian.ts'
import { findElectron, type FoundElectron } from './runtime/electron.ts'
import { wrongFuses } from './runtime/fuses.ts'
import { distOf } from './runtime/official-electron.ts'
import { capture } from './runtime/processes.ts'
import { projectRoot } from './runtime/project.ts'
import { runScript, Unavailable } from './runtime/unavailable.ts'

type Maker = keyof typeof makers
const isMaker = (kind: string): kind is Maker => Object.hasOwn(makers, kind)
const isBuilder = (kind: string): kind is Builder => Object.hasOwn(builders, kind)
const ofNpm = { cli: packCommandLine, kit: packKit } as const
const isKind = (word: string): boolean => isMaker(word) || isBuilder(word) || Object.hasOwn(ofNpm, word)

await runScript(async () => {
  const { values, positionals: kinds } = parseArgs({
    options: {
      out: { type: 'string', default: 'dist' },
      'fallback-electron': { type: 'boolean', default: false },
      repository: { type: 'string' },
      'repository-key': { type: 'string' },
    },
    allowPositionals: true,
  })
  if (kinds.length === 0 || !kinds.every(isKind)) {
    console.error(
      `Usage: npm run package -- KIND... [--out DIR] [--fallback-electron], KIND: ${Object.keys({ ...makers, ...builders, ...ofNpm }).join(', ')}`,
    )
    return 2
  }
  kinds.filter(isBuilder).forEach((kind) => demandSystem(kind))
  // What is made here must not depend on who makes it.
  process.umask(0o022)
  await ensureBuilt()
  const out = resolve(values.out)
  mkdirSync(out, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'galley-package-'))
  const tell = (file: string): void => console.log(`${file}  ${(statSync(file).size / 1e6).toFixed(1)} MB`)
  try {
    const madeAt = await dateOfCommit()
    for (const [kind, pack] of Object.entries(ofNpm))
      if (kinds.includes(kind)) (await pack(join(folder, kind), { out, madeAt })).forEach(tell)
    const ofApp = kinds.filter((kind) => isMaker(kind) || isBuilder(kind))
    if (ofApp.length > 0) {
      const repository = repositoryOf(values.repository, values['repository-key'])
      await packageApp(ofApp, { folder, out, mayFallBack: values['fallback-electron'], repository, tell })
    }
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function packageApp(
  kinds: readonly (Maker | Builder)[],
  edges: {
    folder: string
    out: string
    mayFallBack: boolean
    repository: Repository | null
    tell: (file: string) => void
  },
): Promise<void> {
  const { folder, out, mayFallBack, repository, tell } = edges
  await ensureSystem(['electron', 'package'])
  const electron = await findElectron()
  const isFallback = electron.origin === 'fallback'
  if (isFallback && !mayFallBack)
    throw new Unavailable(
      'Electron',
      'only the fallback is here, which gets no security fixes. For a package to try out, add --fallback-electron.',
    )
  const version = `${manifest.version}${isFallback ? '+fallback' : ''}`
  const release = { version, madeAt: await dateOfCommit(), repository }
  const bundled = bundledPackages(join(projectRoot, 'out'))
  for (const kind of kinds.filter(isBuilder)) {
    const made = await packageByBuilder(kind, { electron, folder: join(folder, kind), notices: noticesOf(bundled) })
    const file = join(out, basename(made))
    cpSync(made, file)
    tell(file)
  }
  const ofLinux = kinds.filter(isMaker)
  if (ofLinux.length > 0) await packageForLinux(ofLinux, { folder, out, electron, release, bundled, tell })
  const sbom = join(out, `galley-${release.version}.cdx.json`)
  const ofElectron = partsOfElectron(distOf(electron.executable), electron.version)
  writeFileSync(sbom, sbomOf({ name: 'galley', ...release }, bundled, ofElectron))
  tell(sbom)
}

/** The packages that need what Linux has around an app. */
async function packageForLinux(
  kinds: readonly Maker[],
  edges: {
    folder: string
    out: string
    electron: FoundElectron
    release: Release
    bundled: readonly Bundled[]
    tell: (file: string) => void
  },
): Promise<void> {
  const { folder, out, electron, release, bundled, tell } = edges
  await packageFolder({ electron, folder })
  const wrong = await wrongFuses(join(folderOfPackage(folder), 'galley'))
  if (wrong.length > 0) throw new Error(`Fuses of the package are not as they have to be: ${wrong.join(', ')}`)
  const licences = { own: readFileSync(join(projectRoot, 'LICENSE'), 'utf8'), others: noticesOf(bundled) }
  const tree = join(folder, 'tree')
  layOut(tree, folderOfPackage(folder), release, { licences, command: await commandTexts(release.madeAt) })
  for (const kind of kinds) {
    // Makers may add to the tree, and take it apart.
    const root = join(folder, kind)
    cpSync(tree, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    tell(await makers[kind]({ root, out, release }))
  }
}

/** The URL goes into a script that root runs, so characters with a meaning in a shell are refused. */
function repositoryOf(url: string | undefined, keyFile: string | undefined): Repository | null {
  if (url === undefined && keyFile === undefined) return null
  if (url === undefined || keyFile === undefined || !/^https?:\/\/[\w.:/~-]+$/.test(url))
    throw new Unavailable('Repository', '--repository takes a web address, and goes with --repository-key FILE.')
  return { url, key: readFileSync(keyFile) }
}

/** The seconds of the last commit, which dates all files of a package. */
async function dateOfCommit(): Promise<number> {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given !== undefined) return Number(given)
  const { code, stdout, stderr } = await capture('git', ['log', '-1', '--format=%ct'], { cwd: projectRoot })
  if (code !== 0) throw new Unavailable('Date', `git does not know the date of the last commit: ${stderr.trim()}`)
  return Number(stdout)
}
