import styles from './note.module.css'

/** A quiet line under a list or above it, for what the list itself cannot say. */
export function Note({ text }: { readonly text: string }) {
  return <p className={styles.note}>{text}</p>
}
