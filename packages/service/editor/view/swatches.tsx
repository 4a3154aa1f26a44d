import styles from './swatches.module.css'

/** Backgrounds of one palette; text is readable on each of them (page/contrast). */
const colours = [
  { value: null, name: 'None' },
  { value: '#eef1f5', name: 'Mist' },
  { value: '#f7efe2', name: 'Sand' },
  { value: '#e3f0e6', name: 'Mint' },
  { value: '#e2ecfb', name: 'Sky' },
  { value: '#fbe6e4', name: 'Rose' },
  { value: '#1d2a44', name: 'Night' },
  { value: '#1f3d33', name: 'Forest' },
] as const

interface Props {
  readonly label: string
  readonly value: string | null
  readonly onChoose: (colour: string | null) => void
}

/** Offers preset background colours and a custom one. */
export function Swatches({ label, value, onChoose }: Props) {
  const isOther = value !== null && !colours.some((colour) => colour.value === value)
  return (
    <fieldset className={styles.swatches}>
      <legend>{label}</legend>
      {colours.map((colour) => (
        <button
          key={colour.name}
          type="button"
          className={styles.swatch}
          aria-pressed={value === colour.value}
          aria-label={colour.name}
          title={colour.name}
          style={{ backgroundColor: colour.value ?? 'transparent' }}
          data-none={colour.value === null}
          onClick={() => onChoose(colour.value)}
        />
      ))}
      <label className={styles.other} data-chosen={isOther}>
        Other
        <input type="color" value={value ?? '#ffffff'} onChange={(event) => onChoose(event.target.value)} />
      </label>
    </fieldset>
  )
}
