import type { Block, Page, TextBlock } from '../page/page.ts'
import { insertAfter, moveBlock, removeBlock, replaceBlock, splitText } from '../page/page.ts'
import type { EditedDocument } from '../session/document.ts'
import { blockView } from './block-view.ts'
import { element } from './element.ts'
import { textArea } from './text-area.ts'

/** The page as it is edited. */
export interface PageView {
  readonly root: HTMLElement
  /** Adds a block behind the one that has the focus, or at the end. */
  readonly add: (block: Block) => void
}

/**
 * Shows the document's page. Typing changes the document alone; whatever changes the list of blocks draws it again and
 * puts the focus where the person goes on.
 */
export function createPageView(edited: EditedDocument, newId: () => string, onChange: () => void): PageView {
  const list = element('div', { className: 'blocks' })
  let focused: string | null = null

  const apply = (page: Page): void => {
    edited.change(page)
    onChange()
  }

  const current = (id: string): Block | undefined => edited.page().blocks.find((block) => block.id === id)

  function draw(focus: string | null, selector = 'textarea, input, button'): void {
    list.replaceChildren(...edited.page().blocks.map((block, index) => blockView(block, index + 1, actions)))
    const target = [...list.children].find((child) => child instanceof HTMLElement && child.dataset['block'] === focus)
    const field = target?.querySelector<HTMLElement>(selector)
    field?.focus()
    if (field instanceof HTMLTextAreaElement) field.setSelectionRange(0, 0)
  }

  const actions = {
    addressOf: edited.addressOf,
    change: (block: Block) => apply(replaceBlock(edited.page(), block)),
    split(block: TextBlock, offset: number) {
      const id = newId()
      apply(splitText(edited.page(), block, offset, id))
      draw(id)
    },
    move(id: string, by: -1 | 1) {
      apply(moveBlock(edited.page(), id, by))
      draw(id, by < 0 ? '.tool:nth-last-child(3)' : '.tool:nth-last-child(2)')
    },
    remove(id: string) {
      const { blocks } = edited.page()
      const at = blocks.findIndex((block) => block.id === id)
      apply(removeBlock(edited.page(), id))
      const next = blocks[at - 1] ?? blocks[at + 1]
      draw(next?.id ?? null)
      if (next === undefined) title.focus()
    },
    setKind(block: TextBlock, kind: TextBlock['kind']) {
      const latest = current(block.id)
      if (latest === undefined || !('text' in latest)) return
      apply(replaceBlock(edited.page(), { ...latest, kind }))
      draw(block.id)
    },
  }

  const title = textArea({
    label: 'Title',
    className: 'title',
    value: edited.page().title,
    placeholder: 'Title',
    onText: (text) => apply({ ...edited.page(), title: text }),
    onKey(event) {
      if (event.key !== 'Enter' || event.isComposing) return
      event.preventDefault()
      const id = newId()
      apply(insertAfter(edited.page(), null, { kind: 'paragraph', id, text: '' }))
      draw(id)
    },
  })
  const root = element('div', { className: 'page' }, title, list)
  root.addEventListener('focusin', ({ target }) => {
    const block = target instanceof Element ? target.closest<HTMLElement>('[data-block]') : null
    focused = block?.dataset['block'] ?? null
  })
  draw(null)

  return {
    root,
    add(block) {
      const last = edited.page().blocks.at(-1)?.id ?? null
      apply(insertAfter(edited.page(), focused !== null && current(focused) !== undefined ? focused : last, block))
      draw(block.id)
      focused = block.id
    },
  }
}
