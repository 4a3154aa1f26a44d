import styles from './link-button.module.css'

interface Props {
  readonly children: string
  readonly onClick: () => void
}

/** Words that lead to another place of the window. */
export const LinkButton = ({ children, onClick }: Props) => (
  <button type="button" className={styles.link} onClick={onClick}>
    {children}
  </button>
)
