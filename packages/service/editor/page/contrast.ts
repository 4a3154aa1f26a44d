const dark = '#16181d'
const light = '#ffffff'

/** Relative luminance of `#rrggbb` (WCAG 2). */
function luminance(colour: string): number {
  const channel = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** The text colour with the better contrast on a background; at least 4.2:1 on any background. */
export const textColorOn = (background: string): string =>
  contrast(background, dark) >= contrast(background, light) ? dark : light
