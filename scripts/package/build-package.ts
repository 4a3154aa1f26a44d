/** Makes packages of the app with electron-builder, from the Electron that is there. */

import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration, Platform as PlatformType } from 'electron-builder'

import { linkScheme } from '../../packages/library/records/app-link.ts'
import { sourceFile } from '../../packages/update/source.ts'
import type { FoundElectron } from '../runtime/electron.ts'
import { productionFuses, setFuses } from '../runtime/fuses.ts'
import { distOf } from '../runtime/official-electron.ts'
import { projectRoot } from '../runtime/project.ts'
import { Unavailable } from '../runtime/unavailable.ts'
import { about, appId } from './installed.ts'
import { stageApp } from './stage.ts'
import { givenSource } from './update-feed.ts'

interface Given {
  readonly electron: FoundElectron
  /** Replaced: the folder of the app, `app`, and what becomes of it. */
  readonly folder: string
  readonly fuses?: typeof productionFuses
  /** The licences of the parts, for a package that nothing else is added to. */
  readonly notices?: string
}

/** The folder of the app inside that of `packageFolder`. */
export const folderOfPackage = (folder: string): string => join(folder, 'packages', 'linux-unpacked')

/**
 * Kinds that electron-builder makes as a whole, each on its own system: it downloads their tools. They have only been
 * configured so far (docs/reliability.md).
 */
export const builders = {
  appimage: { system: 'linux', target: 'AppImage', file: /\.AppImage$/ },
  nsis: { system: 'win32', target: 'nsis', file: /\.exe$/ },
  dmg: { system: 'darwin', target: 'dmg', file: /\.dmg$/ },
  zip: { system: 'darwin', target: 'zip', file: /-mac-.*\.zip$/ },
} as const
export type Builder = keyof typeof builders

const systems = { linux: 'Linux', win32: 'Windows', darwin: 'macOS' } as const
const platformOf = { linux: 'LINUX', win32: 'WINDOWS', darwin: 'MAC' } as const

/** Throws Unavailable if this system cannot make the package. */
export function demandSystem(kind: Builder, running: NodeJS.Platform = process.platform): void {
  const { system, target } = builders[kind]
  if (system !== running)
    throw new Unavailable(
      target,
      `only ${systems[system]} makes this package. .github/workflows/release.yml builds it there.`,
    )
}

const icon = join(projectRoot, 'resources', 'icons', '1024x1024.png')

/** `notarised`: with the credentials of Apple's service in the environment, for which electron-builder looks itself. */
function configurationOf(output: string, { electron, fuses = productionFuses, notices }: Given): Configuration {
  const updates = givenSource(process.env)
  const { APPLE_API_KEY: apiKey, APPLE_ID: appleId, CSC_LINK: certificate } = process.env
  return {
    appId,
    electronVersion: electron.version,
    electronDist: distOf(electron.executable),
    npmRebuild: false,
    directories: { output, buildResources: join(projectRoot, 'resources', 'icons') },
    files: ['**/*'],
    asar: { smartUnpack: false },
    // Beside the archive: executables, and what is read by functions that Electron does not answer inside it.
    asarUnpack: ['**/*.node', 'resources/**'],
    // macOS has `en`, all others `en-US`.
    electronLanguages: ['en-US', 'en', 'ru'],
    protocols: [{ name: 'Galley', schemes: [linkScheme] }],
    linux: { executableName: 'galley', category: 'Office', synopsis: about.summary, maintainer: about.maintainer },
    appImage: { artifactName: 'galley-${version}.${ext}' },
    win: { executableName: 'galley', icon },
    // For one person, without the rights of an administrator; `/S` installs without a window.
    nsis: { oneClick: true, perMachine: false, artifactName: 'galley-${version}-setup.${ext}' },
    mac: {
      icon,
      category: 'public.app-category.productivity',
      artifactName: 'galley-${version}-mac-${arch}.${ext}',
      hardenedRuntime: true,
      notarize: Boolean(apiKey || appleId),
      // Without a certificate, an ad hoc signature, which Apple's processors require.
      ...(!certificate && { identity: '-' }),
    },
    // The development runtime loads the app from a folder, which no package may have.
    afterExtract: ({ appOutDir }) => rmSync(join(appOutDir, 'resources', 'app'), { recursive: true, force: true }),
    afterPack: ({ appOutDir, packager }) => {
      const write = (name: string, text: string): void =>
        writeFileSync(join(packager.getResourcesDir(appOutDir), name), text)
      if (notices !== undefined) write('NOTICES.txt', notices)
      if (updates !== null) write(sourceFile, JSON.stringify(updates))
      return setFuses(executableOf(appOutDir), fuses)
    },
  }
}

const executableOf = (folder: string): string =>
  join(folder, { linux: 'galley', win32: 'galley.exe', darwin: 'Galley.app' }[process.platform as keyof typeof systems])

async function build(target: string, given: Given): Promise<string> {
  const { electron, folder } = given
  const projectDir = join(folder, 'app')
  const output = join(folder, 'packages')
  stageApp(projectDir, electron)
  rmSync(output, { recursive: true, force: true })
  // Late, since whoever asks for the path alone needs none of it.
  const { build: run, Platform } = await import('electron-builder')
  const platform: PlatformType = Platform[platformOf[process.platform as keyof typeof systems]]
  await run({
    projectDir,
    targets: platform.createTarget([target]),
    publish: 'never',
    config: configurationOf(output, given),
  })
  return output
}

/** Makes the folder that packages install, with the executable `galley`. */
export async function packageFolder(given: Given): Promise<void> {
  await build('dir', given)
}

/** Makes a package, and returns its file inside `folder`. Throws Unavailable if its tools cannot be had. */
export async function packageByBuilder(kind: Builder, given: Given): Promise<string> {
  const { target, file } = builders[kind]
  const output = await build(target, given).catch((error: unknown) => {
    throw new Unavailable(
      target,
      `electron-builder did not make it, perhaps because a tool could not be downloaded: ${String(error)}`,
    )
  })
  const made = readdirSync(output).find((name) => file.test(name))
  if (made === undefined) throw new Error(`electron-builder made no ${target}`)
  return join(output, made)
}
