import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import { useContext, useState } from 'react'

import { PassingContext } from './passing.ts'
import styles from './pictured.module.css'

interface Props {
  /** The thumbnail's URL; a placeholder without one. */
  readonly src: string | null
  readonly children: ReactNode
}

/** A cell with a page thumbnail before its text; thumbnails load lazily, and not for rows that only pass. */
export function Pictured({ src, children }: Props) {
  const isPassing = useContext(PassingContext)
  const [shown, setShown] = useState(isPassing ? null : src)
  if (!isPassing && shown !== src) setShown(src)
  return (
    <div className={styles.pictured}>
      <span className={styles.picture} aria-hidden>
        {src === null ? <FileText size={16} /> : shown && <img alt="" loading="lazy" decoding="async" src={shown} />}
      </span>
      <div className={styles.words}>{children}</div>
    </div>
  )
}
