import type { ReactNode } from 'react'

import styles from './facts.module.css'
import { useShown } from './for-developers.ts'

/** A name and its value; `isCode` for ids, hashes and addresses. */
export interface Fact {
  readonly name: string
  readonly value: ReactNode
  readonly isCode?: boolean
  /** Shown only to those who ask for it, like IDs and hashes. */
  readonly isForDevelopers?: boolean
}

/** Names and values in two columns. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const shown = useShown(facts)
  return (
    <dl className={styles.facts}>
      {shown.map((fact) => (
        <div key={fact.name} className={styles.fact}>
          <dt>{fact.name}</dt>
          <dd className={fact.isCode === true ? styles.code : undefined}>{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}
