import styles from './badge.module.css'

/** A word that marks one row among its like. */
export function Badge({ word }: { readonly word: string }) {
  return <span className={styles.badge}>{word}</span>
}
