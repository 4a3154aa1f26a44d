import styles from './link-button.module.css'

interface Props {
  readonly children: string
  readonly onClick: () => void
}

/** A link to another place in the window. */
export const LinkButton = ({ children, onClick }: Props) => (
  <button type="button" className={styles.link} onClick={onClick}>
    {children}
  </button>
)
