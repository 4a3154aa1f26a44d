import type { Declaration } from './declarations.ts'
import { namedFamilies, shorthandFamilies } from './families.ts'

/** The font of a text. */
export interface PageFont {
  readonly families: readonly string[]
  readonly weight: number
  readonly style: 'normal' | 'italic'
}

/** The effect of declarations on a font. Absent members are inherited. */
export interface FontChange {
  readonly families?: readonly string[]
  readonly weight?: number | 'bolder' | 'lighter'
  readonly style?: PageFont['style']
}

export const initialFont: PageFont = { families: [], weight: 400, style: 'normal' }

/** Applies a change to a font. Relative weights are relative to `inherited`, the font of the parent element. */
export const changedFont = (
  font: PageFont,
  { families, weight, style }: FontChange,
  inherited: PageFont,
): PageFont => ({
  families: families ?? font.families,
  weight: typeof weight === 'string' ? relativeWeight(weight, inherited.weight) : (weight ?? font.weight),
  style: style ?? font.style,
})

/** The table of CSS Fonts 4, section 2.2.1. */
function relativeWeight(word: 'bolder' | 'lighter', from: number): number {
  if (word === 'bolder') return from < 350 ? 400 : from < 550 ? 700 : Math.max(900, from)
  return from < 550 ? Math.min(100, from) : from < 750 ? 400 : 700
}

/** The effect of the declarations of one block on the font. */
export function fontChange(declarations: readonly Declaration[], variables: ReadonlyMap<string, string>): FontChange {
  const changes = declarations.map(({ name, value: written }): FontChange => {
    const value = resolved(written, variables).replace(/\s*!important\s*$/i, '')
    switch (name) {
      case 'font-family':
        return value.toLowerCase() === 'inherit' ? {} : { families: namedFamilies(value) }
      case 'font-weight':
        return weightOf(value)
      case 'font-style':
        return styleOf(value)
      case 'font': {
        const list = shorthandFamilies(value)
        if (list === '') return {}
        // `normal` does not tell which property it sets, and the defaults are normal, so it is skipped.
        const before = value
          .slice(0, -list.length)
          .split(/\s+/)
          .filter((word) => word.toLowerCase() !== 'normal')
        const found: readonly FontChange[] = before.map((word) => ({ ...weightOf(word), ...styleOf(word) }))
        return Object.assign({ weight: 400, style: 'normal' }, ...found, {
          families: namedFamilies(list),
        }) as FontChange
      }
      default:
        return {}
    }
  })
  return Object.assign({}, ...changes) as FontChange
}

function weightOf(value: string): Pick<FontChange, 'weight'> {
  const word = value.toLowerCase()
  if (word === 'bolder' || word === 'lighter') return { weight: word }
  const weight = word === 'bold' ? 700 : word === 'normal' ? 400 : /^\d{1,4}$/.test(word) ? Number(word) : Number.NaN
  return weight >= 1 && weight <= 1000 ? { weight } : {}
}

function styleOf(value: string): Pick<FontChange, 'style'> {
  if (/^(?:italic|oblique)\b/i.test(value)) return { style: 'italic' }
  return value.toLowerCase() === 'normal' ? { style: 'normal' } : {}
}

/** Replaces variables by their values, up to the supported nesting depth. */
function resolved(value: string, variables: ReadonlyMap<string, string>): string {
  let text = value
  for (let depth = 0; depth < 5 && text.includes('var('); depth += 1)
    text = text.replaceAll(/var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g, (_, name: string, instead: string | undefined) =>
      (variables.get(name) ?? instead ?? '').trim(),
    )
  return text
}
