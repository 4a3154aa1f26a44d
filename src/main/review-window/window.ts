import type { KeyPress } from '@galley/look'
import { BrowserWindow, nativeTheme } from 'electron'

import { keyPressOf } from '../electron/key-press.ts'
import { strictPage } from '../electron/strict-page.ts'
import { zoomLevelFor } from './zoom-keys.ts'

export interface ReviewWindowOptions {
  readonly preload: string
  /** Whether the window's own page has developer tools. Stored pages never have: their views are made by the quarantine. */
  readonly devTools: boolean
}

/** A window for the review of one material, hidden until its page is painted. */
export function createReviewWindow({ preload, devTools }: ReviewWindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Galley',
    width: 1440,
    height: 900,
    minWidth: 760,
    minHeight: 520,
    show: false,
    // The colours of --bg in src/look/look.css, so that the first frame does not flash.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff',
    webPreferences: {
      ...strictPage,
      // Only fields for prose ask for it.
      spellcheck: true,
      preload,
      devTools,
    },
  })
  // The menu belongs to the main window, and so do its commands.
  window.removeMenu()
  const { webContents } = window
  const keep = keysOfMenu(window)
  webContents.on('before-input-event', (event, input) => {
    if (input.type === 'keyDown' && keep(keyPressOf(input))) event.preventDefault()
  })
  window.once('ready-to-show', () => {
    window.show()
    if (devTools) webContents.openDevTools({ mode: 'detach' })
  })
  return window
}

/** Zooms the window by the keys that the menu has in the main window; returns whether it was one of them. */
export const keysOfMenu =
  ({ webContents }: BrowserWindow) =>
  (pressed: KeyPress): boolean => {
    const level = zoomLevelFor(pressed, webContents.getZoomLevel())
    if (level !== null) webContents.setZoomLevel(level)
    return level !== null
  }
