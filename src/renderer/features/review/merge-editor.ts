import { getChunks, goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge'
import type { Extension } from '@codemirror/state'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'

import type { Difference } from './difference.ts'

/**
 * Editor theme; the window's custom properties reach into the shadow tree. Changes are marked by position and border,
 * not only by colour.
 */
const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--bg)', color: 'var(--text)', font: 'var(--mono)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  // No ligatures in ids and addresses; the page's own stylesheet does not reach in here.
  '.cm-scroller': { font: 'var(--mono)', fontVariantLigatures: 'no-contextual' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-2)', borderColor: 'var(--border)' },
  '.cm-changeGutter': { width: '4px', paddingLeft: '0' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--removed)' },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--added)' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--danger)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--success)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'none',
    textDecoration: 'line-through',
    textDecorationColor: 'var(--danger)',
  },
  '&.cm-merge-b .cm-changedText': {
    background: 'none',
    textDecoration: 'underline 2px',
    textDecorationColor: 'var(--success)',
  },
  '.cm-collapsedLines': { background: 'var(--surface)', color: 'var(--text-2)', font: 'var(--meta)' },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"···"' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { background: 'var(--selected)' },
})

/** Both editors share one scroller, which the page's own stylesheet cannot reach. */
const frameSheet = `
  .cm-mergeView, .cm-editor { height: 100%; }
  .cm-mergeViewEditors { min-height: 100%; }
  .cm-mergeViewEditor { display: grid; }
  .cm-mergeViewEditor + .cm-mergeViewEditor { border-inline-start: 1px solid var(--border); }
  .cm-mergeViewEditor .cm-scroller { flex: 1 0 auto; }
  .cm-mergeViewEditor .cm-gutters { align-self: stretch; }
`

/** The empty line after a final newline gets no number. */
const numberOf = (line: number, { doc }: EditorState): string =>
  line === doc.lines && doc.line(line).length === 0 ? '' : String(line)

export interface MergeEditor {
  readonly changes: number
  /** Goes to the next or previous change, wrapping around, and returns its number, counted from 1. */
  go(direction: 'next' | 'previous'): number
  close(): void
}

interface MergeOptions {
  readonly difference: Difference
  readonly isUnified: boolean
  readonly labels: { readonly before: string; readonly after: string; readonly unchanged: (lines: string) => string }
}

/** Opens two texts side by side or unified, read-only, with changes marked and equal parts folded. */
export function openMergeEditor(host: HTMLElement, { difference, isUnified, labels }: MergeOptions): MergeEditor {
  const { before, after, changes } = difference
  // In a shadow tree the editor adopts constructed stylesheets, which the CSP allows.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(frameSheet)
  root.adoptedStyleSheets = [sheet]
  const common = (label: string): Extension => [
    theme,
    lineNumbers({ formatNumber: numberOf }),
    EditorView.lineWrapping,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, 'aria-readonly': 'true' }),
    EditorState.phrases.of({ '$ unchanged lines': labels.unchanged('$') }),
  ]
  const merge = {
    gutter: true,
    collapseUnchanged: { margin: 3, minSize: 4 },
    // The worker has already computed the changes.
    diffConfig: { override: () => changes },
  }
  const opened = isUnified ? openUnified() : openSplit()
  const { view } = opened

  function openUnified() {
    const view = new EditorView({
      parent: root,
      root,
      doc: after,
      extensions: [common(labels.after), unifiedMergeView({ ...merge, original: before, mergeControls: false })],
    })
    return { view, close: () => view.destroy() }
  }
  function openSplit() {
    const split = new MergeView({
      parent: root,
      root,
      a: { doc: before, extensions: common(labels.before) },
      b: { doc: after, extensions: common(labels.after) },
      ...merge,
    })
    return { view: split.b, close: () => split.destroy() }
  }

  return {
    changes: getChunks(view.state)?.chunks.length ?? 0,
    go(direction) {
      const step = direction === 'next' ? goToNextChunk : goToPreviousChunk
      step(view)
      const { head } = view.state.selection.main
      return 1 + (getChunks(view.state)?.chunks.findIndex(({ fromB }) => fromB === head) ?? -1)
    },
    close: opened.close,
  }
}
