import type { ReactNode } from 'react'

import styles from './sections.module.css'

interface Props<Name extends string> {
  readonly label: string
  readonly names: readonly Name[]
  readonly chosen: Name
  readonly titleOf: (name: Name) => string
  readonly onChoose: (name: Name) => void
  /** The content of the chosen section. */
  readonly children: ReactNode
}

/** A list of sections beside the chosen one, or above it where there is little width. */
export const Sections = <Name extends string>({ label, names, chosen, titleOf, onChoose, children }: Props<Name>) => (
  <div className={styles.container}>
    <div className={styles.sections}>
      <nav aria-label={label} className={styles.list}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.section}
            aria-current={name === chosen ? 'page' : undefined}
            onClick={() => onChoose(name)}
          >
            {titleOf(name)}
          </button>
        ))}
      </nav>
      <div className={styles.scroll}>
        <div className={styles.content}>
          <h2 className={styles.title}>{titleOf(chosen)}</h2>
          {children}
        </div>
      </div>
    </div>
  </div>
)
