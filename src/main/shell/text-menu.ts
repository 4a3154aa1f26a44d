import type { BrowserWindow, MenuItemConstructorOptions } from 'electron'
import { Menu } from 'electron'
import type { TFunction } from 'i18next'

/** Offers cut, copy and paste on the right mouse button: in text fields, and copy wherever text is selected. */
export function offerTextMenu(window: BrowserWindow, words: () => TFunction<'system'>): void {
  window.webContents.on('context-menu', (_event, { isEditable, selectionText, editFlags }) => {
    const t = words()
    const copy: MenuItemConstructorOptions = { role: 'copy', label: t('menu.copy'), enabled: editFlags.canCopy }
    const items: readonly MenuItemConstructorOptions[] = isEditable
      ? [
          { role: 'cut', label: t('menu.cut'), enabled: editFlags.canCut },
          copy,
          { role: 'paste', label: t('menu.paste'), enabled: editFlags.canPaste },
          { type: 'separator' },
          { role: 'selectAll', label: t('menu.selectAll'), enabled: editFlags.canSelectAll },
        ]
      : [copy]
    if (isEditable || selectionText.trim() !== '') Menu.buildFromTemplate([...items]).popup({ window })
  })
}
