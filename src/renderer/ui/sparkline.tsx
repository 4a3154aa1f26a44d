import styles from './sparkline.module.css'

/** A bar: its height, the highlighted part, and its tooltip. */
export interface SparkBar {
  readonly key: string
  readonly value: number
  /** The highlighted part of `value`. */
  readonly marked: number
  readonly hint: string
}

interface Props {
  /** A text alternative for the whole chart. */
  readonly label: string
  readonly bars: readonly SparkBar[]
}

/** Pixels. */
const height = 20
const barWidth = 4
const step = 5
const minBarHeight = 2

/** A small bar chart over time, with a baseline where there is no data. */
export function Sparkline({ label, bars }: Props) {
  const highest = Math.max(1, ...bars.map(({ value }) => value))
  const heightOf = (value: number): number => (value === 0 ? 0 : Math.max(minBarHeight, (value / highest) * height))
  return (
    <svg
      role="img"
      aria-label={label}
      width={bars.length * step - 1}
      height={height}
      className={styles.spark}
      shapeRendering="crispEdges"
    >
      {bars.map(({ key, value, marked, hint }, at) => (
        <g key={key} transform={`translate(${at * step} 0)`}>
          <title>{hint}</title>
          <rect width={step} height={height} className={styles.reach} />
          <rect y={height - 1} width={barWidth} height={1} className={styles.none} />
          <rect y={height - heightOf(value)} width={barWidth} height={heightOf(value)} className={styles.bar} />
          <rect y={height - heightOf(marked)} width={barWidth} height={heightOf(marked)} className={styles.marked} />
        </g>
      ))}
    </svg>
  )
}
