import type { ReactNode } from 'react'

import styles from './key-lines.module.css'

interface Props {
  readonly title: string
  readonly lines: readonly { readonly name: string; readonly keys: ReactNode }[]
}

/** A group of shortcuts with a heading. */
export const KeyLines = ({ title, lines }: Props) => (
  <section className={styles.group}>
    <h3 className={styles.title}>{title}</h3>
    <dl>
      {lines.map(({ name, keys }) => (
        <div key={name} className={styles.line}>
          <dt>{name}</dt>
          <dd>{keys}</dd>
        </div>
      ))}
    </dl>
  </section>
)

/** Shortcuts as keycaps. */
export const Keys = ({ keys }: { readonly keys: readonly string[] }) => (
  <span className={styles.keys}>
    {keys.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
)
