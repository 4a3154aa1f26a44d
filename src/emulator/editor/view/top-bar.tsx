import { Menu } from '@base-ui/react/menu'
import { History, Keyboard, MoreHorizontal, Redo2, TriangleAlert, Undo2 } from 'lucide-react'

import { Button, IconButton } from './button.tsx'
import buttonStyles from './button.module.css'
import { Segments } from './field.tsx'
import { keyName } from './key-name.ts'
import popupStyles from './popup.module.css'
import styles from './top-bar.module.css'

/** Widths at which the page is looked at. */
export type Width = 'desktop' | 'tablet' | 'phone'

const widths = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'tablet', label: 'Tablet' },
  { value: 'phone', label: 'Phone' },
] as const

/** What the site is known to have made of what the service holds: without a good answer, nobody can say. */
export type Standing = 'saved' | 'not-on-site' | 'unconfirmed'

/** How the page stands towards the service and the site. */
export type SaveState = Standing | 'unsaved' | 'saving'

const words: Readonly<Record<SaveState, string>> = {
  saved: 'All changes saved',
  unsaved: 'Unsaved changes',
  saving: 'Saving…',
  'not-on-site': 'Kept here, not on the site',
  unconfirmed: 'Kept here, not confirmed by the site',
}

interface Props {
  readonly materialId: string
  readonly saveState: SaveState
  readonly width: Width
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly onWidth: (width: Width) => void
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onHistory: () => void
  readonly onKeys: () => void
  readonly onFaults: () => void
  readonly onSave: () => void
}

/** What is edited, whether it is saved, how wide it is shown, and the commands on the whole page. */
export function TopBar(props: Props) {
  return (
    <header className={styles.bar}>
      <div className={styles.name}>
        <h1 title={props.materialId}>{props.materialId}</h1>
        <p className={styles.state} data-state={props.saveState}>
          {words[props.saveState]}
        </p>
      </div>
      <Segments
        label="Width of the preview"
        isLabelHidden
        value={props.width}
        options={widths}
        onChoose={props.onWidth}
      />
      <div className={styles.actions}>
        <IconButton icon={Undo2} label="Undo" keys="Mod+Z" aria-disabled={!props.canUndo} onClick={props.onUndo} />
        <IconButton
          icon={Redo2}
          label="Redo"
          keys="Mod+Shift+Z"
          aria-disabled={!props.canRedo}
          onClick={props.onRedo}
        />
        <Button look="quiet" icon={History} onClick={props.onHistory}>
          History
        </Button>
        <Menu.Root modal={false}>
          <Menu.Trigger className={buttonStyles.button} aria-label="More" title="More">
            <MoreHorizontal size={16} aria-hidden />
          </Menu.Trigger>
          <Menu.Portal>
            <Menu.Positioner sideOffset={6} align="end">
              <Menu.Popup className={popupStyles.popup}>
                <Menu.Item className={popupStyles.item} onClick={props.onKeys}>
                  <Keyboard size={16} aria-hidden />
                  Keyboard
                </Menu.Item>
                <Menu.Item className={popupStyles.item} onClick={props.onFaults}>
                  <TriangleAlert size={16} aria-hidden />
                  Answers of the service
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
