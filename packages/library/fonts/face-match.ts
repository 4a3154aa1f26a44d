/** A face as described by its CSS: `400` or `100 900`; `normal`, `italic`, `oblique 10deg`. */
interface Face {
  readonly weight: string
  readonly style: string
}

interface Asked {
  readonly weight: number
  readonly style: 'normal' | 'italic'
}

const named: Readonly<Record<string, number>> = { normal: 400, bold: 700 }

function rangeOf(weight: string): { readonly from: number; readonly to: number } {
  const [from = 400, to = from] = weight.split(/\s+/).map((word) => named[word.toLowerCase()] ?? Number(word))
  return { from: Math.min(from, to), to: Math.max(from, to) }
}

const isUpright = ({ style }: Face): boolean => style.toLowerCase() === 'normal'

/** Whether a face matches the request exactly. */
export function isExact(face: Face, { weight, style }: Asked): boolean {
  const { from, to } = rangeOf(face.weight)
  return weight >= from && weight <= to && isUpright(face) === (style === 'normal')
}

/** The distance of a weight from those of a face, in the order in which browsers try them (CSS Fonts 4, section 5.2). */
function distance(face: Face, wanted: number): number {
  const { from, to } = rangeOf(face.weight)
  if (wanted >= from && wanted <= to) return 0
  const isAbove = from > wanted
  const by = isAbove ? from - wanted : wanted - to
  // For 400 to 500, browsers first try heavier weights up to 500, then lighter ones.
  if (wanted >= 400 && wanted <= 500) return isAbove && from <= 500 ? by : isAbove ? 2000 + by : 1000 + by
  return wanted < 400 === isAbove ? 1000 + by : by
}

/** The face that a browser selects; null if a family has none. */
export const faceFor = <Some extends Face>(faces: readonly Some[], asked: Asked): Some | null => {
  const sameStyle = faces.filter((face) => isUpright(face) === (asked.style === 'normal'))
  const [best = null] = (sameStyle.length > 0 ? sameStyle : faces).toSorted(
    (one, other) => distance(one, asked.weight) - distance(other, asked.weight),
  )
  return best
}
