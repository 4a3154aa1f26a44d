import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, rename, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { syncFolder } from '@galley/platform'
import type { Installer } from '@galley/update'
import { app, autoUpdater } from 'electron'

/**
 * How this package replaces itself; null where a package manager, or nobody, does. The systems' own checks come on top:
 * macOS demands that the same developer has signed both apps.
 */
export function ownInstaller(): Installer | null {
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
