import { Dialog } from './dialog.tsx'
import { keyName } from './key-name.ts'
import styles from './keys-dialog.module.css'

const keys = [
  ['Save', 'Mod+S'],
  ['Undo', 'Mod+Z'],
  ['Redo', 'Mod+Shift+Z'],
  ['Insert', '/'],
  ['Bold', 'Mod+B'],
  ['Italic', 'Mod+I'],
  ['Link', 'Mod+K'],
  ['Heading, small, smallest', 'Mod+Alt+2…4'],
  ['Text', 'Mod+Alt+0'],
  ['Move block up', 'Alt+Shift+ArrowUp'],
  ['Move block down', 'Alt+Shift+ArrowDown'],
  ['Delete block', 'Alt+Shift+Backspace'],
  ['Select enclosing block', 'Escape'],
  ['New line in the same block', 'Shift+Enter'],
  ['Next area of the window', 'F6'],
] as const

/** Lists the editor's keyboard shortcuts. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.keys}>
        {keys.map(([what, key]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <kbd>{keyName(key)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
