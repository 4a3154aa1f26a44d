import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'

import styles from './pictured.module.css'

interface Props {
  /** The thumbnail's URL; a placeholder without one. */
  readonly src: string | null
  readonly children: ReactNode
}

/** A cell with a page thumbnail before its text; thumbnails load lazily. */
export const Pictured = ({ src, children }: Props) => (
  <div className={styles.pictured}>
    <span className={styles.picture} aria-hidden>
      {src === null ? <FileText size={16} /> : <img alt="" loading="lazy" decoding="async" src={src} />}
    </span>
    <div className={styles.words}>{children}</div>
  </div>
)
