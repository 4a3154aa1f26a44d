import type { ReactNode } from 'react'

import styles from './two-lines.module.css'

interface Props {
  readonly first: ReactNode
  readonly second: ReactNode
}

const whole = (line: ReactNode): string | undefined => (typeof line === 'string' ? line : undefined)

/** A cell of two lines: what it is, and below it, quieter, what goes with it. A text that is cut is whole in its title. */
export function TwoLines({ first, second }: Props) {
  return (
    <>
      <div className={styles.line} title={whole(first)}>
        {first}
      </div>
      <div className={`${styles.line} ${styles.second}`} title={whole(second)}>
        {second}
      </div>
    </>
  )
}
