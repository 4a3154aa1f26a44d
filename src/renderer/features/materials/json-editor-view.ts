import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { EditorState, StateEffect, StateField } from '@codemirror/state'
import type { DecorationSet } from '@codemirror/view'
import { Decoration, drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export interface JsonEditorView {
  /** Underlines the position of a syntax error. */
  mark(offset: number | null): void
  close(): void
}

interface Options {
  readonly label: string
  readonly text: string
  readonly onChange: (text: string) => void
}

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--bg)', color: 'var(--text)' },
  // The surrounding field shows the focus: in here, the gutter would hide half of the ring.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'var(--mono)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-2)', border: 'none' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { background: 'var(--selected)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--selected) !important', color: 'inherit' },
  '.cm-wrong': { textDecoration: 'underline wavy var(--danger)', backgroundColor: 'var(--removed)' },
})

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--syntax-key)' },
  { tag: tags.string, color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--syntax-number)' },
])

const setWrong = StateEffect.define<number | null>()
const errorMark = Decoration.mark({ class: 'cm-wrong' })

const wrong = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const effect = transaction.effects.findLast((other) => other.is(setWrong))
    if (effect === undefined) return marks.map(transaction.changes)
    const { length } = transaction.newDoc
    const offset: number | null = effect.value
    if (offset === null || length === 0) return Decoration.none
    const from = Math.min(offset, length - 1)
    return Decoration.set(errorMark.range(from, from + 1))
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Opens a JSON editor inside `host`, in a shadow tree, where the CSP allows its styles. */
export function openJsonEditor(host: HTMLElement, { label, text, onChange }: Options): JsonEditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        json(),
        syntaxHighlighting(colours),
        theme,
        wrong,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
  return {
    mark: (offset) => view.dispatch({ effects: setWrong.of(offset) }),
    close: () => view.destroy(),
  }
}
