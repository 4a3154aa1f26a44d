import styles from './address.module.css'

/**
 * The e-mail address of a person on one line: where it has no room the domain goes as a whole, since the part before it
 * tells who that is. The whole is in its title.
 */
export function Address({ address }: { readonly address: string }) {
  const at = address.lastIndexOf('@')
  if (at <= 0) return <span title={address}>{address}</span>
  return (
    <span className={styles.address} title={address}>
      <span className={styles.part}>{address.slice(0, at)}</span>
      <wbr />
      <span className={styles.part}>{address.slice(at)}</span>
    </span>
  )
}
