import type { Editor } from '@tiptap/core'
import type { EditorState } from '@tiptap/pm/state'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'

import type { Insertable, InsertPorts } from './insertables.ts'
import { matching } from './insertables.ts'
import styles from './popup.module.css'
import slashStyles from './slash-menu.module.css'

/** The typed `/` command: the cursor is at its end, in a paragraph with nothing else. */
interface Typed {
  readonly from: number
  readonly to: number
  readonly words: string
}

function typedSlash({ selection }: EditorState): Typed | null {
  const { $from, empty } = selection
  if (!empty || $from.parent.type.name !== 'paragraph') return null
  const found = /^\/([\p{L} ]{0,20})$/u.exec($from.parent.textContent)
  return found === null ? null : { from: $from.start(), to: $from.end(), words: found[1] ?? '' }
}

interface Props extends InsertPorts {
  readonly announce: (sentence: string) => void
}

const optionId = (index: number): string => `slash-option-${index}`

/** The menu that `/` opens at the cursor. The focus stays in the text; arrow keys move through the options. */
export function SlashMenu({ editor, chooseMedia, announce }: Props) {
  const typed = typedSlash(editor.state)
  const [isDismissed, setIsDismissed] = useState(false)
  const [marked, setMarked] = useState({ words: '', at: 0 })
  if (typed === null && isDismissed) setIsDismissed(false)
  const options = typed === null ? [] : matching(typed.words)
  const isOpen = options.length > 0 && !isDismissed && editor.isFocused
  const at = marked.words === typed?.words ? Math.min(marked.at, options.length - 1) : 0
  const mark = (next: number): void =>
    setMarked({ words: typed?.words ?? '', at: (next + options.length) % options.length })
  const list = useRef<HTMLDivElement>(null)

  const spoken = isOpen ? `${options[at]?.name}, ${at + 1} of ${options.length} options.` : null
  useEffect(() => {
    if (spoken !== null) announce(spoken)
  }, [spoken, announce])
  useActiveOption(editor, isOpen ? optionId(at) : null)
  useLayoutEffect(() => {
    if (typed !== null && list.current !== null) placeBelow(list.current, editor, typed.from)
    document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' })
  })

  function choose(option: Insertable | undefined): void {
    if (typed === null || option === undefined) return
    editor.view.dispatch(editor.state.tr.delete(typed.from, typed.to))
    option.insert({ editor, chooseMedia })
  }

  useKeys(editor, isOpen, (key) => {
    if (key === 'ArrowDown') mark(at + 1)
    else if (key === 'ArrowUp') mark(at - 1)
    else if (key === 'Enter' || key === 'Tab') choose(options[at])
    else if (key === 'Escape') setIsDismissed(true)
    else return false
    return true
  })

  if (!isOpen) return null
  return (
    <div
      ref={list}
      id="slash-menu"
      tabIndex={0}
      role="listbox"
      aria-label="Insert"
      className={`${styles.popup} ${slashStyles.menu}`}
    >
      {options.map(({ name, hint, icon: Icon }, index) => (
        // Keys are handled by the text, which keeps the focus.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={name}
          id={optionId(index)}
          tabIndex={-1}
          role="option"
          aria-selected={index === at}
          className={styles.item}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(options[index])}
        >
          <Icon size={16} aria-hidden />
          <span>
            {name}
            <small>{hint}</small>
          </span>
        </div>
      ))}
    </div>
  )
}

/** Tells assistive technology which option is active. */
function useActiveOption(editor: Editor, id: string | null): void {
  useEffect(() => {
    const { dom } = editor.view
    if (id === null) return undefined
    dom.setAttribute('aria-activedescendant', id)
    dom.setAttribute('aria-controls', 'slash-menu')
    return () => {
      dom.removeAttribute('aria-activedescendant')
      dom.removeAttribute('aria-controls')
    }
  }, [editor, id])
}

/** Handles keys before the editor does. */
function useKeys(editor: Editor, isOn: boolean, onKey: (key: string) => boolean): void {
  const handler = useRef(onKey)
  useEffect(() => {
    handler.current = onKey
  })
  useEffect(() => {
    if (!isOn) return undefined
    const listen = (event: KeyboardEvent): void => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || !handler.current(event.key)) return
      event.preventDefault()
      event.stopPropagation()
    }
    const { parentElement } = editor.view.dom
    parentElement?.addEventListener('keydown', listen, true)
    return () => parentElement?.removeEventListener('keydown', listen, true)
  }, [editor, isOn])
}

/** Places the menu below the line at a position, or above it if there is more room. */
function placeBelow(list: HTMLElement, editor: Editor, pos: number): void {
  const line = editor.view.coordsAtPos(pos)
  const room = window.innerHeight - line.bottom
  const isAbove = room < list.offsetHeight + 12 && line.top > room
  list.style.left = `${Math.min(line.left, window.innerWidth - list.offsetWidth - 8)}px`
  list.style.top = `${isAbove ? Math.max(8, line.top - list.offsetHeight - 6) : line.bottom + 6}px`
}
