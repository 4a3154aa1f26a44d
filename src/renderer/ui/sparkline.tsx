import styles from './sparkline.module.css'

/** One bar: how high it is, how much of that stands out, and what it says when it is pointed at. */
export interface SparkBar {
  readonly key: string
  readonly value: number
  /** Of `value`. */
  readonly marked: number
  readonly hint: string
}

interface Props {
  /** All of it in words, for whoever does not see it. */
  readonly label: string
  readonly bars: readonly SparkBar[]
}

/** Pixels. */
const height = 20
const barWidth = 4
const step = 5
const leastBar = 2

/** A row of small bars that says how something went over time; where there was nothing, a line. */
export function Sparkline({ label, bars }: Props) {
  const highest = Math.max(1, ...bars.map(({ value }) => value))
  const lengthOf = (value: number): number => (value === 0 ? 0 : Math.max(leastBar, (value / highest) * height))
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
          <rect y={height - lengthOf(value)} width={barWidth} height={lengthOf(value)} className={styles.bar} />
          <rect y={height - lengthOf(marked)} width={barWidth} height={lengthOf(marked)} className={styles.marked} />
        </g>
      ))}
    </svg>
  )
}
