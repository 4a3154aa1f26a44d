import { jsonLines } from '@galley/wire'
import { useMemo } from 'react'

import { Source } from '../../ui/source.tsx'
import { jsonPieces } from './json-pieces.ts'
import styles from './json-source.module.css'

interface Props {
  readonly label: string
  readonly text: string
}

/** Longer texts would create too many elements and freeze the window. */
const maxHighlightedChars = 100_000

/** JSON with one line per member, highlighted unless it is huge. */
export function JsonSource({ label, text }: Props) {
  const indented = useMemo(() => jsonLines(text), [text])
  const pieces = useMemo(() => (indented.length > maxHighlightedChars ? null : jsonPieces(indented)), [indented])
  if (pieces === null) return <Source label={label} text={indented} />
  return (
    <pre className={styles.json} aria-label={label}>
      {pieces.map(({ kind, text: written }, at) =>
        kind === 'blank' || kind === 'sign' ? (
          written
        ) : (
          // Pieces have no identity but their index and never move.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={at} data-kind={kind}>
            {written}
          </span>
        ),
      )}
    </pre>
  )
}
