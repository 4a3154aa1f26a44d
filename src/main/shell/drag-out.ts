import { ok } from '@galley/wire'
import { nativeImage } from 'electron'
import type { BrowserWindow, NativeImage } from 'electron'

import type { HandlersOf } from '../../ipc/call.ts'
import type { versionFileCalls } from '../../ipc/version-files.ts'
import type { VersionFiles } from '../review/version-files.ts'

/** Files of versions that are dragged out of the main window: the window names a version, and main knows the path. */
export function createDragOut(
  window: Pick<BrowserWindow, 'webContents'>,
  files: VersionFiles,
  icon: string,
): HandlersOf<typeof versionFileCalls> {
  // Without a picture, nothing is seen at the pointer, and macOS refuses to drag. Read at the first drag, not at the start.
  let image: NativeImage | null = null
  return {
    prepareVersionFile: async (file) => {
      const copied = await files.copy(file)
      return copied.ok ? ok(null) : copied
    },
    dragVersionFile: async (file) => {
      const copied = await files.copy(file)
      if (!copied.ok) return copied
      image ??= nativeImage.createFromPath(icon).resize({ width: 48, height: 48 })
      window.webContents.startDrag({ file: copied.value, icon: image })
      return ok(null)
    },
  }
}
