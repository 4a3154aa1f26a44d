import { Popover } from '@base-ui/react/popover'
import { Toolbar } from '@base-ui/react/toolbar'
import type { Editor } from '@tiptap/core'
import { Link } from 'lucide-react'
import { useState } from 'react'

import { toLink } from '../page/links.ts'
import { Button, IconButton } from './button.tsx'
import { TextField } from './field.tsx'
import styles from './popup.module.css'

interface Props {
  readonly editor: Editor
  /** Pictures and the title cannot be links. */
  readonly isDisabled: boolean
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

const addressOf = (editor: Editor): string => {
  const href: unknown = editor.getAttributes('link')['href']
  return typeof href === 'string' ? href : ''
}

/** Adds, changes or removes the link of the selected text. */
export function LinkButton({ editor, isDisabled, isOpen, onOpenChange }: Props) {
  return (
    <Popover.Root open={isOpen && !isDisabled} onOpenChange={onOpenChange}>
      <Popover.Trigger
        render={
          <IconButton
            icon={Link}
            label="Link"
            keys="Mod+K"
            aria-pressed={editor.isActive('link')}
            render={<Toolbar.Button disabled={isDisabled} />}
          />
        }
      />
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="start">
          <Popover.Popup className={styles.popup} aria-label="Link" finalFocus={() => editor.view.dom}>
            <LinkForm editor={editor} onDone={() => onOpenChange(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function LinkForm({ editor, onDone }: { readonly editor: Editor; readonly onDone: () => void }) {
  const [before] = useState(() => addressOf(editor))
  const [typed, setTyped] = useState(before)
  const [problem, setProblem] = useState<string | null>(null)

  function apply(): void {
    const href = toLink(typed)
    if (href === null)
      return setProblem('This isn’t a valid address. Enter one such as example.com/page or name@example.com.')
    const chain = editor.chain()
    if (editor.state.selection.empty && before === '')
      chain.insertContent({ type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs: { href } }] })
    else chain.extendMarkRange('link').setLink({ href })
    chain.run()
    onDone()
  }

  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <TextField label="Address" value={typed} problem={problem} onInput={setTyped} autoFocus />
      <div className={styles.row}>
        <Button type="submit" look="primary">
          {before === '' ? 'Add link' : 'Change link'}
        </Button>
        {before !== '' && (
          <Button
            onClick={() => {
              editor.chain().extendMarkRange('link').unsetLink().run()
              onDone()
            }}
          >
            Remove link
          </Button>
        )}
      </div>
    </form>
  )
}
