import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, rename, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AppSettingsStore } from '@galley/library'
import { updateNotesFile } from '@galley/library'
import type { Network } from '@galley/platform'
import { syncFolder } from '@galley/platform'
import { createUpdates, readSource } from '@galley/update'
import type { Installer } from '@galley/update'
import { app, autoUpdater } from 'electron'

import type { HandlersOf } from '../../ipc/call.ts'
import type { updateCalls } from '../../ipc/updates.ts'
import type { Push } from '../electron/serve.ts'

interface UpdatePorts {
  readonly version: string
  readonly settings: AppSettingsStore
  readonly network: Network
  readonly now: () => Date
}

/**
 * How this package installs a newer version of itself; null if a package manager updates it, or nothing does. The system
 * checks it too: macOS requires that the same developer signed both apps.
 */
function ownInstaller(): Installer | null {
  const folder = join(app.getPath('userData'), 'updates')
  if (process.platform === 'win32') return { system: `nsis-${process.arch}`, folder, install: runInstaller }
  if (process.platform === 'darwin') return { system: `mac-${process.arch}`, folder, install: handToSystem }
  const { APPIMAGE: image, APPDIR: mounted } = process.env
  // A program in an AppImage passes these on to all that it starts.
  if (image === undefined || mounted === undefined || !process.execPath.startsWith(mounted + sep)) return null
  return {
    system: `appimage-${process.arch}`,
    // On the same disk, so that the old version stays until the new one is whole.
    folder: join(dirname(image), '.galley-update'),
    async install(file) {
      await chmod(file, 0o755)
      await rename(file, image)
      await syncFolder(dirname(image))
      await rmdir(dirname(file))
    },
  }
}

/** The installer waits until the app has ended. */
async function runInstaller(file: string): Promise<void> {
  const child = spawn(file, ['--updated', '/S'], { detached: true, stdio: 'ignore' })
  await once(child, 'spawn')
  child.unref()
}

/** Squirrel takes the file over now and replaces the app when it has ended. */
async function handToSystem(file: string): Promise<void> {
  const feed = join(dirname(file), 'feed.json')
  await writeFile(feed, JSON.stringify({ url: pathToFileURL(file).href }))
  autoUpdater.setFeedURL({ url: pathToFileURL(feed).href, serverType: 'json' })
  // An `error` meanwhile rejects.
  const taken = once(autoUpdater, 'update-downloaded')
  autoUpdater.checkForUpdates()
  await taken
}

/** Newer versions of this app: how they are looked for, told of and installed, and the calls of the window about them. */
export function appUpdates({ settings, ...ports }: UpdatePorts, push: Push, log: (line: string) => void) {
  const updates = createUpdates({
    ...ports,
    source: readSource(process.resourcesPath),
    isDevelopment: !app.isPackaged,
    environment: process.env,
    isOn: () => settings.read().checksForUpdates,
    notesFile: updateNotesFile(process.env),
    installer: ownInstaller(),
    log,
    onState: (state) => push('updates', state),
  })
  const handlers: HandlersOf<typeof updateCalls> = {
    updateState: updates.state,
    checkForUpdates: () => updates.check(true),
    takeUpdate: updates.take,
    skipUpdate: updates.skip,
  }
  return {
    handlers,
    install: updates.install,
    /** Begins to look for newer versions; returns what stops it. */
    start(): () => void {
      const stops = [updates.start(), settings.onChange(updates.told)]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}
