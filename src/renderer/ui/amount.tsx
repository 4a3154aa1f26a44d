import styles from './amount.module.css'

interface Props {
  readonly label: string
  /** From 0 to 1. */
  readonly value: number
  readonly onChange: (value: number) => void
}

/** A slider for how much of the second picture is seen above the first. */
export function Amount({ label, value, onChange }: Props) {
  return (
    <label className={styles.amount}>
      {label}
      <input
        type="range"
        min={0}
        max={100}
        value={value * 100}
        onChange={(event) => onChange(event.target.valueAsNumber / 100)}
      />
    </label>
  )
}
