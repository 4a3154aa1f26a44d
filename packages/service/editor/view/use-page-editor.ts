import type { Editor, JSONContent } from '@tiptap/core'
import { Fragment, Slice } from '@tiptap/pm/model'
import { useEditor, useEditorState } from '@tiptap/react'
import { useEffect, useRef, useState } from 'react'

import type { Page } from '../page/page.ts'
import { usedFiles } from '../page/page.ts'
import { pageExtensions } from '../prose/extensions.ts'
import type { InsertRange } from '../prose/insert-block.ts'
import { insertRangeAt } from '../prose/insert-block.ts'
import { toProse } from '../prose/to-prose.ts'
import type { PageFiles } from '../session/page-files.ts'

interface Intake {
  /** Called with dropped files and their range, or with pasted files and null. */
  readonly onFiles: (files: readonly File[], at: InsertRange | null) => void
  /** Called when pasted content had pictures that this page does not have. */
  readonly onPicturesLeftOut: () => void
}

/** The editor of a page or draft. It is created once; the component re-renders with every change and cursor move. */
export function usePageEditor(page: Page, draft: JSONContent | null, files: PageFiles, intake: Intake): Editor {
  const latest = useRef(intake)
  useEffect(() => {
    latest.current = intake
  })
  // Pages of other editors may name files that they do not list.
  const [own] = useState(() => usedFiles(page))
  const editor = useEditor({
    extensions: pageExtensions(files.addressesOf),
    content: draft ?? toProse(page),
    injectCSS: false,
    autofocus: page.title === '' && page.blocks.length === 0 ? 'start' : false,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': 'Page', 'data-region': '' },
      handlePaste(_view, { clipboardData }) {
        const pasted = [...(clipboardData?.files ?? [])]
        const html = clipboardData?.getData('text/html') ?? ''
        // Office programs add a picture of the copied text; prefer the text.
        if (pasted.length > 0 && (html === '' || /^\s*(?:<meta[^>]*>)?\s*<img[^>]*>\s*$/i.test(html))) {
          latest.current.onFiles(pasted, null)
          return true
        }
        if (/<img\b/i.test(html) && !html.includes('data-pm-slice')) latest.current.onPicturesLeftOut()
        return false
      },
      handleDrop(view, event) {
        // When a picture is moved within the page, browsers also offer a copy of it as a file.
        if (view.dragging !== null) return false
        const dropped = [...(event.dataTransfer?.files ?? [])]
        if (dropped.length === 0) return false
        event.preventDefault()
        const found = view.posAtCoords({ left: event.clientX, top: event.clientY })
        latest.current.onFiles(dropped, found === null ? null : insertRangeAt(view.state, found.pos))
        return true
      },
      transformPasted(slice, view) {
        // It moves within the page.
        if (view.dragging !== null) return slice
        const known = withoutUnknownFiles(slice, (name) => own.has(name) || files.assets().has(name))
        if (known !== slice) latest.current.onPicturesLeftOut()
        return known
      },
    },
  })
  useEditorState({ editor, selector: ({ editor: { state } }) => state, equalityFn: Object.is })
  return editor
}

/** Removes pictures and videos whose files belong to another page, wherever they are; the same slice if there are none. */
export function withoutUnknownFiles(slice: Slice, isKnown: (name: string) => boolean): Slice {
  let isWhole = true
  const knownIn = (nodes: Fragment): Fragment =>
    Fragment.fromArray(
      nodes.content.flatMap((node) => {
        const file: unknown = node.attrs['file']
        if (typeof file === 'string' && !isKnown(file)) {
          isWhole = false
          return []
        }
        if (node.childCount === 0) return [node]
        const content = knownIn(node.content)
        if (content.eq(node.content)) return [node]
        // A column of pictures alone keeps an empty line. Anything else stays as open as the slice says.
        return content.size > 0 ? node.copy(content) : (node.type.createAndFill(node.attrs, null, node.marks) ?? [])
      }),
    )
  const content = knownIn(slice.content)
  return isWhole ? slice : new Slice(content, slice.openStart, slice.openEnd)
}
