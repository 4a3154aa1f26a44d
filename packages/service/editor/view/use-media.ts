import type { Editor } from '@tiptap/core'
import { useEffect } from 'react'

import type { InsertRange } from '../prose/insert-block.ts'
import { insertBlock, insertNodeAt } from '../prose/insert-block.ts'
import type { MediaKind } from '../session/media-files.ts'
import { chooseFiles, kindOf, measure } from '../session/media-files.ts'
import type { PageFiles } from '../session/page-files.ts'

/** Adds pictures and videos to the page. */
export interface MediaInserter {
  /** Inserts files into a range, or at the cursor for null. Files of other types are passed to `onRefused`. */
  readonly add: (chosen: readonly File[], at: InsertRange | null) => Promise<void>
  readonly choose: (kind: MediaKind) => Promise<void>
  /** Replaces the file of the picture or video at a position; its texts stay. */
  readonly replace: (pos: number) => Promise<void>
}

export function createMediaInserter(
  editor: Editor,
  files: PageFiles,
  onRefused: (names: readonly string[]) => void,
): MediaInserter {
  async function fieldsFor(kind: MediaKind, chosen: File) {
    const { name, address } = files.add(chosen)
    return { file: name, ...(await measure(kind, address, chosen.type)) }
  }

  async function add(chosen: readonly File[], at: InsertRange | null): Promise<void> {
    let insertRange = at
    for (const file of chosen) {
      const kind = kindOf(file)
      if (kind === null) continue
      const content = { type: kind, attrs: await fieldsFor(kind, file) }
      const { view } = editor
      if (insertRange === null || insertRange.to > view.state.doc.content.size)
        view.dispatch(insertBlock(view.state, content))
      else view.dispatch(insertNodeAt(view.state, view.state.schema.nodeFromJSON(content), insertRange))
      // The block is now selected, so the next one follows it.
      insertRange = null
      view.focus()
    }
    const refused = chosen.filter((file) => kindOf(file) === null)
    if (refused.length > 0) onRefused(refused.map(({ name }) => name))
  }

  return {
    add,
    choose: async (kind) => add(await chooseFiles(kind, true), null),
    async replace(pos) {
      const kind = editor.state.doc.nodeAt(pos)?.type.name === 'video' ? 'video' : 'image'
      const [chosen] = await chooseFiles(kind, false)
      if (chosen === undefined) return
      if (kindOf(chosen) !== kind) return onRefused([chosen.name])
      const fields = await fieldsFor(kind, chosen)
      const { view } = editor
      const tr = view.state.tr
      for (const [name, value] of Object.entries(fields)) tr.setNodeAttribute(pos, name, value)
      view.dispatch(tr)
    },
  }
}

/** Files dropped outside the page are appended to it; otherwise the browser would navigate to them. */
export function useDropsOutsidePage(onFiles: (files: readonly File[]) => void): void {
  useEffect(() => {
    const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent): void => {
      if (holdsFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      if (!holdsFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      onFiles([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  })
}
