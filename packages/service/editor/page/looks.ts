/** The class and style of a property, the same in the published page and in the editor. */
export interface Look {
  readonly class?: string
  readonly style?: string
}

/** A CSS string, escaped so that no character can end it. */
const cssString = (text: string): string =>
  `"${text.replace(/["\\<>\n\r\f\0]/g, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `)}"`

export const familyList = (font: string): string => `${cssString(font)},system-ui,sans-serif`

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

const looks: Readonly<Record<string, (value: string) => Look>> = {
  align: (align) => (align === 'start' ? {} : { class: `folio-${align}` }),
  font: (font) => ({ style: `font-family:${familyList(font)}` }),
  textFont: (font) => ({ style: `font-family:${familyList(font)}` }),
  headingFont: (font) => ({ style: `--folio-headings:${familyList(font)}` }),
  background: (colour) => ({ style: `background-color:${colour};color:${textColorOn(colour)}` }),
  padding: (padding) => ({ class: `folio-pad-${padding}` }),
  size: (size) => (size === 'text' ? {} : { class: `folio-${size}` }),
}

export const lookOf = (field: string, value: unknown): Look =>
  typeof value === 'string' && Object.hasOwn(looks, field) ? (looks[field]?.(value) ?? {}) : {}

/** The combined looks of all fields of a block. */
export function lookOfFields(fields: object): Look {
  const all = Object.entries(fields).map(([name, value]) => lookOf(name, value))
  const classes = all.flatMap((look) => look.class ?? [])
  const styles = all.flatMap((look) => look.style ?? [])
  return {
    ...(classes.length > 0 && { class: classes.join(' ') }),
    ...(styles.length > 0 && { style: styles.join(';') }),
  }
}
