import type { Block, ImageBlock, TextBlock } from '../page/page.ts'
import { button, element } from './element.ts'
import { textArea } from './text-area.ts'

/** What a person can do with a block. */
export interface BlockActions {
  readonly change: (block: Block) => void
  /** Enter: the text behind the caret goes into a paragraph of its own. */
  readonly split: (block: TextBlock, offset: number) => void
  readonly move: (id: string, by: -1 | 1) => void
  readonly remove: (id: string) => void
  readonly setKind: (block: TextBlock, kind: TextBlock['kind']) => void
  readonly addressOf: (file: string) => string
}

const names = { paragraph: 'Paragraph', heading: 'Heading', image: 'Image', foreign: 'Part of another editor' } as const

function textView(block: TextBlock, label: string, actions: BlockActions): HTMLElement {
  let text = block.text
  return textArea({
    label,
    className: block.kind,
    value: text,
    placeholder: block.kind === 'heading' ? 'Heading' : 'Write here',
    onText(changed) {
      text = changed
      actions.change({ ...block, text })
    },
    onKey(event, area) {
      if (event.isComposing) return
      if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
        event.preventDefault()
        actions.split({ ...block, text }, area.selectionStart)
      } else if (event.key === 'Backspace' && text === '') {
        event.preventDefault()
        actions.remove(block.id)
      }
    },
  })
}

function imageView(block: ImageBlock, label: string, actions: BlockActions): HTMLElement {
  const picture = element('img', { src: actions.addressOf(block.file), alt: block.alt })
  picture.addEventListener('error', () =>
    picture.replaceWith(element('p', { className: 'missing' }, `${block.file} cannot be shown.`)),
  )
  const alt = element('input', { type: 'text', value: block.alt, placeholder: 'What the picture shows' })
  alt.addEventListener('input', () => {
    picture.alt = alt.value
    actions.change({ ...block, alt: alt.value })
  })
  const field = element('label', { className: 'alt' }, element('span', {}, `Alternative text`), alt)
  return element('figure', { ariaLabel: label }, picture, field)
}

function contentView(block: Block, label: string, actions: BlockActions): HTMLElement {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return textView(block, label, actions)
    case 'image':
      return imageView(block, label, actions)
    case 'foreign':
      return element('p', { className: 'missing' }, 'This part was made in another editor. It is kept, but not shown.')
  }
}

/** One block with its tools. `place` is its number for screen readers. */
export function blockView(block: Block, place: number, actions: BlockActions): HTMLElement {
  const label = `${names[block.kind]} ${place}`
  const tool = (sign: string, does: string, act: () => void): HTMLButtonElement => {
    const made = button(sign, 'tool', act)
    made.ariaLabel = `${does} ${label.toLowerCase()}`
    made.title = does
    return made
  }
  const tools = element('div', { className: 'tools' })
  if (block.kind === 'paragraph') tools.append(tool('H', 'Make a heading of', () => actions.setKind(block, 'heading')))
  if (block.kind === 'heading')
    tools.append(tool('¶', 'Make a paragraph of', () => actions.setKind(block, 'paragraph')))
  tools.append(
    tool('↑', 'Move up', () => actions.move(block.id, -1)),
    tool('↓', 'Move down', () => actions.move(block.id, 1)),
    tool('×', 'Remove', () => actions.remove(block.id)),
  )
  const view = element('div', { className: 'block' }, contentView(block, label, actions), tools)
  view.dataset['block'] = block.id
  return view
}
