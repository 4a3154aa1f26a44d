import type { ReactNode, Ref } from 'react'
import { useId } from 'react'

import styles from './pane.module.css'

interface Props {
  readonly title: string
  /** How many rows the list holds; a pane without a list gives none. */
  readonly count?: string | undefined
  readonly level?: 1 | 2
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly ref?: Ref<HTMLElement>
}

/** A region with a heading, its actions, and what it holds below; focus can be led to it. */
export function Pane({ title, count, level = 1, actions, children, ref }: Props) {
  const id = useId()
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <section ref={ref} tabIndex={-1} aria-labelledby={id} className={styles.pane}>
      <div className={styles.bar}>
        <Heading className={styles.heading}>
          <span id={id}>{title}</span>
          {count !== undefined && <span className={styles.count}>{count}</span>}
        </Heading>
        {actions}
      </div>
      {children}
    </section>
  )
}
