import { Popover } from '@base-ui/react/popover'
import { Toolbar } from '@base-ui/react/toolbar'
import type { Editor } from '@tiptap/core'
import { PaintBucket } from 'lucide-react'

import { textOrNull } from '../page/text-value.ts'
import { setBackground, sectionAround } from '../prose/section.ts'
import buttonStyles from './button.module.css'
import styles from './popup.module.css'
import { Swatches } from './swatches.tsx'

/** Sets the background of the current section, or creates a section around the selection. */
export function BackgroundButton({ editor, onRefused }: { readonly editor: Editor; readonly onRefused: () => void }) {
  const choose = (colour: string | null): void => {
    const { view } = editor
    if (colour === null && sectionAround(view.state) === undefined) return
    const tr = setBackground(view.state, colour)
    if (tr === null) onRefused()
    else view.dispatch(tr)
  }
  return (
    <Popover.Root>
      <Popover.Trigger render={<Toolbar.Button />} className={buttonStyles.button}>
        <PaintBucket size={16} aria-hidden />
        Background
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="start">
          <Popover.Popup className={styles.popup} aria-label="Background">
            <div className={styles.form}>
              <Swatches
                label="Block background"
                value={textOrNull(sectionAround(editor.state)?.node.attrs['background'])}
                onChoose={choose}
              />
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
