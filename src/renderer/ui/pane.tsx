import type { ReactNode } from 'react'
import { useEffect, useId } from 'react'

import styles from './pane.module.css'

interface Props {
  /** Identifies the pane to F6 and commands: `list`, `inspector`. */
  readonly name: string
  readonly title: string
  /** The number of rows, for panes with a list. */
  readonly count?: string | undefined
  readonly level?: 1 | 2
  /** Precedes the title, such as a back button. */
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A focusable region with a heading and actions. The first heading names the window. */
export function Pane({ name, title, count, level = 1, lead, actions, children }: Props) {
  const id = useId()
  useEffect(() => {
    if (level === 1) document.title = `${title} · Galley`
  }, [level, title])
  return (
    <section tabIndex={-1} aria-labelledby={id} data-pane={name} className={styles.pane}>
      <Bar id={id} level={level} title={title} count={count} lead={lead} actions={actions} />
      {children}
    </section>
  )
}

type BarProps = Pick<Props, 'title' | 'count' | 'level' | 'lead' | 'actions'>

function Bar({ id, title, count, level, lead, actions }: BarProps & { readonly id: string }) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className={styles.bar}>
      {lead}
      <Heading className={styles.heading} title={title}>
        <span id={id}>{title}</span>
        {count !== undefined && <span className={styles.count}>{count}</span>}
      </Heading>
      {actions}
    </div>
  )
}

/** A part of a pane, with a heading and actions of its own. It takes the height that the others leave. */
export function PanePart({ children, ...bar }: Omit<BarProps, 'level'> & { readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.part}>
      <Bar id={id} level={2} {...bar} />
      {children}
    </section>
  )
}

/** The scrolling content of an inspector. */
export const PaneBody = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.body}>{children}</div>
)
