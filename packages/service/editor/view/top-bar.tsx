import { Menu } from '@base-ui/react/menu'
import type { Editor } from '@tiptap/core'
import { History, Keyboard, MoreHorizontal, Redo2, TriangleAlert, Undo2 } from 'lucide-react'

import buttonStyles from './button.module.css'
import { Button, IconButton } from './button.tsx'
import { Segments } from './field.tsx'
import { keyName } from './key-name.ts'
import popupStyles from './popup.module.css'
import styles from './top-bar.module.css'
import type { DialogName } from './workbench-dialogs.tsx'

/** Preview widths of the page. */
export type Width = 'desktop' | 'tablet' | 'phone'

const widths = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'tablet', label: 'Tablet' },
  { value: 'phone', label: 'Phone' },
] as const

/** Whether the last save reached the site; `unconfirmed` when the site gave no valid answer. */
export type SiteStatus = 'saved' | 'not-on-site' | 'unconfirmed'

/** Save state of the page, in the service and on the site. */
export type SaveState = SiteStatus | 'unsaved' | 'saving'

const words: Readonly<Record<SaveState, string>> = {
  saved: 'All changes saved',
  unsaved: 'Unsaved changes',
  saving: 'Saving…',
  'not-on-site': 'Not saved to the site',
  unconfirmed: 'Waiting for confirmation',
}

interface Props {
  readonly editor: Editor
  readonly materialId: string
  readonly saveState: SaveState
  readonly width: Width
  readonly onWidth: (width: Width) => void
  readonly onDialog: (dialog: DialogName) => void
  readonly onSave: () => void
}

/** Shows the material, its save state and the preview width, with the commands for the whole page. */
export function TopBar({ editor, ...props }: Props) {
  return (
    <header className={styles.bar}>
      <div className={styles.name}>
        <h1 title={props.materialId}>{props.materialId}</h1>
        <p className={styles.state} data-state={props.saveState}>
          {words[props.saveState]}
        </p>
      </div>
      <Segments label="Preview width" isLabelHidden value={props.width} options={widths} onChoose={props.onWidth} />
      <div className={styles.actions}>
        <IconButton
          icon={Undo2}
          label="Undo"
          keys="Mod+Z"
          aria-disabled={!editor.can().undo()}
          onClick={() => editor.commands.undo()}
        />
        <IconButton
          icon={Redo2}
          label="Redo"
          keys="Mod+Shift+Z"
          aria-disabled={!editor.can().redo()}
          onClick={() => editor.commands.redo()}
        />
        <Button look="quiet" icon={History} onClick={() => props.onDialog('history')}>
          History
        </Button>
        <Menu.Root modal={false}>
          <Menu.Trigger className={buttonStyles.button} aria-label="More" title="More">
            <MoreHorizontal size={16} aria-hidden />
          </Menu.Trigger>
          <Menu.Portal>
            <Menu.Positioner sideOffset={6} align="end">
              <Menu.Popup className={popupStyles.popup}>
                <Menu.Item className={popupStyles.item} onClick={() => props.onDialog('keys')}>
                  <Keyboard size={16} aria-hidden />
                  Keyboard shortcuts
                </Menu.Item>
                <Menu.Item className={popupStyles.item} onClick={() => props.onDialog('faults')}>
                  <TriangleAlert size={16} aria-hidden />
                  Simulate faults
                </Menu.Item>
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.Root>
        <Button
          look="primary"
          aria-keyshortcuts="Control+S"
          title={`Save (${keyName('Mod+S')})`}
          aria-disabled={props.saveState === 'saving'}
          onClick={props.onSave}
        >
          Save
        </Button>
      </div>
    </header>
  )
}
