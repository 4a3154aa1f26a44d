import styles from './swatches.module.css'

/** Backgrounds that go together; every one carries readable text (page/contrast). */
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

/** A choice of background colours, and any other colour beside them. */
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
