/** The Electron of the `electron` package: already installed, or downloaded by its own installer. */

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** A download may take long as long as data arrives. One that stalls is aborted. */
const stalledAfterMs = 60_000

const packageFolder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
const distFolder = join(packageFolder, 'dist')

/** The version that the project declares. */
export function officialVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }).version
}

/** The path of the executable inside an Electron dist folder. */
export function executableIn(dist: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return join(dist, 'Electron.app/Contents/MacOS/Electron')
  return join(dist, platform === 'win32' ? 'electron.exe' : 'electron')
}

/** The dist folder of an executable. */
export const distOf = (executable: string, platform: NodeJS.Platform = process.platform): string =>
  resolve(executable, platform === 'darwin' ? '../../../..' : '..')

/** The folder of the app inside a dist folder. */
export const resourcesIn = (dist: string, platform: NodeJS.Platform = process.platform): string =>
  join(dist, platform === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources')

/** The version that a dist folder declares, or null if it declares none. */
export function versionOf(dist: string): string | null {
  const file = join(dist, 'version')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : null
}

/** The installed executable, or null. The installer writes `path.txt` last. */
export function installedElectron(): string | null {
  const executable = executableIn(distFolder)
  const isWhole = existsSync(join(packageFolder, 'path.txt')) && existsSync(executable)
  return isWhole && versionOf(distFolder) === officialVersion() ? executable : null
}

/**
 * Runs Electron's own installer. A network that refuses connections fails at once; for one that drops packets, the installer
 * is stopped after `firstByteMs` without data. Returns the installer's output if it failed.
 */
export async function downloadElectron(firstByteMs: number): Promise<{ refusal: string } | null> {
  const temporary = mkdtempSync(join(tmpdir(), 'galley-electron-'))
  try {
    return await install(temporary, firstByteMs)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function install(temporary: string, firstByteMs: number): Promise<{ refusal: string } | null> {
  return new Promise((resolve) => {
    // The installer downloads into the given temporary folder. Its growth is the only sign of progress.
    const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary, ELECTRON_GET_NO_PROGRESS: '1' }
    const child = spawn(process.execPath, [join(packageFolder, 'install.js')], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    let seen = bytesIn(temporary) + bytesIn(distFolder)
    let patienceMs = firstByteMs
    let movedAt = Date.now()
    const watch = setInterval(() => {
      const now = bytesIn(temporary) + bytesIn(distFolder)
      if (now !== seen) [seen, patienceMs, movedAt] = [now, stalledAfterMs, Date.now()]
      else if (Date.now() - movedAt > patienceMs) {
        said = `no answer within ${patienceMs / 1000} s`
        child.kill('SIGKILL')
      }
    }, 250)
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.on('error', (error) => (said += error.message))
    child.on('close', (code) => {
      clearInterval(watch)
      resolve(
        code === 0 && installedElectron() ? null : { refusal: said.trim().split('\n')[0] || 'the installer failed' },
      )
    })
  })
}

/** Counts files only: empty folders have a size too, and the installer creates one before it connects. */
function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stats) => sum + (stats?.isFile() ? stats.size : 0), 0)
}
