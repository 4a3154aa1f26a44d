import { Menu, nativeImage, Tray } from 'electron'

import type { TrayAction, TrayLine } from './tray-menu.ts'

/** The icon in the tray; its menu and tip are given to it whenever they change. */
export function createTray(icon: string, act: (action: TrayAction) => void) {
  const image = nativeImage.createFromPath(icon).resize({ width: 22, height: 22 })
  // A machine without a tray still shows the window; Electron then draws nothing.
  const tray = new Tray(image)
  // On macOS a click opens the menu, and is told of as well.
  if (process.platform !== 'darwin') tray.on('click', () => act('show'))
  return {
    update(lines: readonly TrayLine[], tip: string): void {
      tray.setToolTip(tip)
      tray.setContextMenu(
        Menu.buildFromTemplate(
          lines.map((line) => {
            switch (line.kind) {
              case 'line':
                return { type: 'separator' }
              case 'fact':
                return { label: line.label, enabled: false }
              case 'action':
                return { label: line.label, click: () => act(line.action) }
            }
          }),
        ),
      )
    },
    remove: () => tray.destroy(),
  }
}
