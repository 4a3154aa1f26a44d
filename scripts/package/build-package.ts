/** Makes packages of the app with electron-builder, from the Electron that is there: it downloads nothing. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from 'electron-builder'

import type { FoundElectron } from '../runtime/electron.ts'
import { productionFuses, setFuses } from '../runtime/fuses.ts'
import { distOf } from '../runtime/official-electron.ts'
import { projectRoot } from '../runtime/project.ts'
import { appId } from './installed.ts'
import { stageApp } from './stage.ts'

interface Given {
  readonly electron: FoundElectron
  /** Replaced: the folder of the app, `app`, and what becomes of it. */
  readonly folder: string
  readonly fuses?: typeof productionFuses
}

/** The folder of the app inside that of `packageFolder`. */
export const folderOfPackage = (folder: string): string => join(folder, 'packages', 'linux-unpacked')

/** Makes the folder that packages install, with the executable `galley`. */
export async function packageFolder({ electron, folder, fuses = productionFuses }: Given): Promise<void> {
  const projectDir = join(folder, 'app')
  const output = join(folder, 'packages')
  stageApp(projectDir, electron)
  rmSync(output, { recursive: true, force: true })
  const config: Configuration = {
    appId,
    electronVersion: electron.version,
    electronDist: distOf(electron.executable),
    npmRebuild: false,
    directories: { output, buildResources: join(projectRoot, 'resources', 'icons') },
    files: ['**/*'],
    asar: { smartUnpack: false },
    // Beside the archive: executables, and what is read by functions that Electron does not answer inside it.
    asarUnpack: ['**/*.node', 'resources/**'],
    electronLanguages: ['en-US', 'ru'],
    linux: { executableName: 'galley' },
    // The development runtime loads the app from a folder, which no package may have.
    afterExtract: ({ appOutDir }) => rmSync(join(appOutDir, 'resources', 'app'), { recursive: true, force: true }),
    afterPack: ({ appOutDir }) => setFuses(join(appOutDir, 'galley'), fuses),
  }
  // Late, since whoever asks for the path alone needs none of it.
  const { Arch, build, Platform } = await import('electron-builder')
  await build({
    projectDir,
    targets: Platform.LINUX.createTarget(['dir'], Arch.x64),
    publish: 'never',
    config,
  })
}
