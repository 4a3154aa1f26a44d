import { useEffect, useEffectEvent, useRef } from 'react'

import type { JsonEditorView } from './json-editor-view.ts'
import styles from './materials.module.css'

interface Props {
  readonly label: string
  readonly text: string
  /** Position of the syntax error in UTF-16 units; null if valid. */
  readonly wrongAt: number | null
  readonly onChange: (text: string) => void
}

/** A JSON field; loads the editor when first shown. */
export function JsonEditor({ label, text, wrongAt, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<JsonEditorView | null>(null)
  const onEdit = useEffectEvent((changed: string) => onChange(changed))
  const mark = useEffectEvent(() => view.current?.mark(wrongAt))
  const open = useEffectEvent(async (isGone: () => boolean) => {
    const { openJsonEditor } = await import('./json-editor-view.ts')
    if (isGone() || host.current === null) return
    view.current = openJsonEditor(host.current, { label, text, onChange: (changed) => onEdit(changed) })
    mark()
  })
  useEffect(() => {
    let isGone = false
    void open(() => isGone)
    return () => {
      isGone = true
      view.current?.close()
      view.current = null
    }
  }, [])
  useEffect(() => {
    view.current?.mark(wrongAt)
  }, [wrongAt])
  return <div ref={host} className={styles.editor} data-invalid={wrongAt !== null || undefined} />
}
