import type { ReactNode } from 'react'

import styles from './two-lines.module.css'

interface Props {
  readonly first: ReactNode
  readonly second: ReactNode
}

const titleOf = (line: ReactNode): string | undefined => (typeof line === 'string' ? line : undefined)

interface WrappedProps {
  readonly children: ReactNode
  /** Below a name that needs one line; a second one takes its place. */
  readonly below?: ReactNode
}

/** A name on up to two lines; text that is still cut is in the title. */
export const Wrapped = ({ children, below }: WrappedProps) => (
  <div className={styles.both}>
    <div className={styles.wrapped} title={titleOf(children)}>
      {children}
    </div>
    {below !== undefined && (
      <div className={`${styles.line} ${styles.second}`} title={titleOf(below)}>
        {below}
      </div>
    )}
  </div>
)

/** A two-line cell: a name, and secondary information below it. Cut text is in the title. */
export function TwoLines({ first, second }: Props) {
  return (
    <>
      <div className={styles.line} title={titleOf(first)}>
        {first}
      </div>
      <div className={`${styles.line} ${styles.second}`} title={titleOf(second)}>
        {second}
      </div>
    </>
  )
}
