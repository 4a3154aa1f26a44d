import type { ReactNode, Ref } from 'react'
import { useEffect, useId } from 'react'

import styles from './pane.module.css'

interface Props {
  /** How F6 and commands find it: `list`, `inspector`. */
  readonly name: string
  readonly title: string
  /** How many rows the list holds; a pane without a list gives none. */
  readonly count?: string | undefined
  readonly level?: 1 | 2
  /** Before the title, as a way back. */
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly ref?: Ref<HTMLElement>
}

/** A region with a heading, its actions, and what it holds below; focus can be led to it. The first heading names the window. */
export function Pane({ name, title, count, level = 1, lead, actions, children, ref }: Props) {
  const id = useId()
  const Heading = level === 1 ? 'h1' : 'h2'
  useEffect(() => {
    if (level === 1) document.title = `${title} · Galley`
  }, [level, title])
  return (
    <section ref={ref} tabIndex={-1} aria-labelledby={id} data-pane={name} className={styles.pane}>
      <div className={styles.bar}>
        {lead}
        <Heading className={styles.heading} title={title}>
          <span id={id}>{title}</span>
          {count !== undefined && <span className={styles.count}>{count}</span>}
        </Heading>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** What an inspector tells of one thing, part below part; it scrolls by itself. */
export const PaneBody = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.body}>{children}</div>
)
