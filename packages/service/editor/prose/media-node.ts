import { mergeAttributes, Node } from '@tiptap/core'
import type { Node as ProseNode } from '@tiptap/pm/model'

import { lookOf } from '../page/looks.ts'
import { textOf } from '../page/text-value.ts'

/** URLs at which the browser may find a file of the page, in order of preference. */
export type AddressesOf = (file: string) => readonly string[]

/** Renders a picture or video on the canvas; a missing file is shown by its name. */
function createFigure(kind: 'image' | 'video', addressesOf: AddressesOf, isEditable: boolean) {
  const figure = document.createElement('figure')
  const media = document.createElement(kind === 'image' ? 'img' : 'video')
  const caption = document.createElement('figcaption')
  const missing = document.createElement('p')
  missing.className = 'missing-file'
  figure.append(media, caption)
  let shown = ''
  let untried: readonly string[] = []

  function tryNext(): void {
    const [next, ...others] = untried
    untried = others
    if (next === undefined) media.replaceWith(missing)
    else media.src = next
  }
  media.addEventListener('error', tryNext)

  return {
    dom: figure,
    show({ attrs }: ProseNode): void {
      const file = textOf(attrs['file'])
      figure.className = lookOf('size', attrs['size']).class ?? ''
      if (file !== shown) {
        missing.replaceWith(media)
        missing.textContent = `${file} can’t be shown.${isEditable ? ' Select it and replace the file in the settings.' : ''}`
        untried = addressesOf(file)
        tryNext()
        shown = file
      }
      if (media instanceof HTMLImageElement) media.alt = textOf(attrs['alt'])
      else {
        media.controls = true
        media.preload = 'metadata'
        // The canvas is a single Tab stop: the arrow keys reach the video, its controls need the mouse.
        media.tabIndex = -1
        media.ariaLabel = textOf(attrs['label']) || file
      }
      caption.textContent = textOf(attrs['caption'])
      caption.hidden = caption.textContent === ''
    },
  }
}

/** The node for pictures or videos: a file of the page, by name. */
export const mediaNode = (kind: 'image' | 'video') =>
  Node.create<{ addressesOf: AddressesOf }>({
    name: kind,
    group: 'block',
    atom: true,
    draggable: true,
    addOptions: () => ({ addressesOf: () => [] }),
    parseHTML: () => [{ tag: `figure[data-media="${kind}"]` }],
    renderHTML: ({ HTMLAttributes }) => ['figure', mergeAttributes(HTMLAttributes, { 'data-media': kind })],
    addNodeView() {
      return ({ node, editor }) => {
        const figure = createFigure(kind, this.options.addressesOf, editor.isEditable)
        figure.show(node)
        return {
          dom: figure.dom,
          update(changed) {
            if (changed.type !== node.type) return false
            figure.show(changed)
            return true
          },
          ignoreMutation: () => true,
        }
      }
    },
  })
