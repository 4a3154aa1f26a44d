/** The Electron of the `electron` package: installed already, or fetched by its own installer. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Once bytes arrive, a download may take its time; one that stops moving is given up. */
const stalledAfterMs = 60_000

const packageFolder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
const distFolder = join(packageFolder, 'dist')

/** The version the project declares. */
export function officialVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }).version
}

/** The executable's place inside an Electron dist folder. */
export function executableIn(dist: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return join(dist, 'Electron.app/Contents/MacOS/Electron')
  return join(dist, platform === 'win32' ? 'electron.exe' : 'electron')
}

/** The dist folder that an executable belongs to. */
export const distOf = (executable: string, platform: NodeJS.Platform = process.platform): string =>
  resolve(executable, platform === 'darwin' ? '../../../..' : '..')

/** Where a dist folder keeps the app. */
export const resourcesIn = (dist: string, platform: NodeJS.Platform = process.platform): string =>
  join(dist, platform === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources')

/** The version a dist folder says it is, or null when it says none. */
export function versionOf(dist: string): string | null {
  const file = join(dist, 'version')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : null
}

/** The installed executable, or null. `path.txt` is the last thing the installer writes. */
export function installedElectron(): string | null {
  const executable = executableIn(distFolder)
  const isWhole = existsSync(join(packageFolder, 'path.txt')) && existsSync(executable)
  return isWhole && versionOf(distFolder) === officialVersion() ? executable : null
}

/**
 * Runs Electron's own installer. A network that refuses answers at once; one that swallows everything is left after
 * `firstByteMs` without a byte. Answers with what the installer said when it failed.
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
    // The installer downloads into the temporary folder it is given: that folder growing is the only sign of progress it gives.
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

/** Files alone: an empty folder has a size too, and the installer makes one before it has reached anyone. */
function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stats) => sum + (stats?.isFile() ? stats.size : 0), 0)
}
