import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'

import styles from './pictured.module.css'

interface Props {
  /** The address of the picture; a sheet stands where there is none. */
  readonly src: string | null
  readonly children: ReactNode
}

/** A cell with a small picture of a page before its words; the picture is read as it comes into view. */
export const Pictured = ({ src, children }: Props) => (
  <div className={styles.pictured}>
    <span className={styles.picture} aria-hidden>
      {src === null ? <FileText size={16} /> : <img alt="" loading="lazy" decoding="async" src={src} />}
    </span>
    <div className={styles.words}>{children}</div>
  </div>
)
