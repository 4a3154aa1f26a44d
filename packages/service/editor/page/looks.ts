import { textColorOn } from './contrast.ts'

/** The class and style of a property, the same in the published page and in the editor. */
export interface Look {
  readonly class?: string
  readonly style?: string
}

/** A CSS string, escaped so that no character can end it. */
const cssString = (text: string): string =>
  `"${text.replace(/["\\<>\n\r\f\0]/g, (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `)}"`

export const familyList = (font: string): string => `${cssString(font)},system-ui,sans-serif`

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
