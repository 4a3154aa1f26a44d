import styles from './address.module.css'

/**
 * An e-mail address on one line. In a narrow space the whole domain is hidden, since the local part identifies the
 * person. The title has the full address.
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
