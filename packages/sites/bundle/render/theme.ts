import type { ThemeProblem, ThemeSettings } from '@galley/library/records'
import type { Cause, CauseCode, Result } from '@galley/wire'
import { cause, fail, isCauseCode, ok, readJson, stringText } from '@galley/wire'
import { z } from 'zod'

import { wordKeys } from './words.ts'

// The messages are codes of causes.
const key = z.string().regex(/^[a-z][a-z0-9_]*$/, 'theme_key' satisfies CauseCode)
/** A text of a form: the same for all languages, or by language, with English as the fallback. */
const localText = z.union([
  z.string().min(1).max(500),
  z
    .record(z.string().regex(/^[a-z]{2}$/), z.string().min(1).max(500))
    .refine((texts) => 'en' in texts, 'theme_english' satisfies CauseCode),
])
export type LocalText = z.infer<typeof localText>

export const textIn = (text: LocalText, language: string): string =>
  typeof text === 'string' ? text : (text[language] ?? text['en'] ?? '')

const named = { key, label: localText, help: localText.optional() }
const color = z.string().regex(/^#[0-9a-f]{6}$/i, 'theme_color' satisfies CauseCode)

const colorWanted = cause('theme_color', { name: '#1f5fd0' })
const textAtMost = 2000

const settingSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...named, type: z.literal('text'), default: z.string() }),
  z.strictObject({ ...named, type: z.literal('color'), default: color }),
  z.strictObject({ ...named, type: z.literal('switch'), default: z.boolean() }),
  z.strictObject({ ...named, type: z.literal('number'), default: z.number(), min: z.number(), max: z.number() }),
  z.strictObject({
    ...named,
    type: z.literal('choice'),
    default: z.string(),
    choices: z.array(z.strictObject({ value: z.string(), label: localText })).min(1),
  }),
])

/** A setting that a theme offers, shown as a field of a form. */
export type ThemeSetting = z.infer<typeof settingSchema>

const manifestSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'theme_name' satisfies CauseCode),
  label: localText,
  version: z.string().min(1).max(50),
  settings: z.array(settingSchema).max(100).default([]),
  /** The theme's own words by language: `{"en": {"older": "Earlier"}}`. */
  words: z.record(z.string(), z.partialRecord(z.enum(wordKeys), z.string())).default({}),
})

/** The content of `theme.json`. */
export type ThemeManifest = z.infer<typeof manifestSchema>

export interface Theme {
  readonly manifest: ThemeManifest
  /** Texts by path in the theme, such as `partials/card.html`. */
  readonly templates: ReadonlyMap<string, string>
  /** Paths in the bundle by path below `assets/`. */
  readonly assets: ReadonlyMap<string, string>
}

export const themeManifestFile = 'theme.json'

/** Reads `theme.json`. Fails with the first mistake and its line. */
export function parseThemeManifest(text: string): Result<ThemeManifest, ThemeProblem> {
  const broken = readJson(text)
  if (!broken.ok) return fail(problemAt(text, broken.failure.offset, cause('theme_not_json')))
  const read = manifestSchema.safeParse(JSON.parse(text))
  const mistake = read.success ? mistakeIn(read.data) : mistakeOf(read.error)
  if (read.success && mistake === null) return ok(read.data)
  const { path = [], why = cause('theme_invalid') } = mistake ?? {}
  const problem = path.length === 0 ? why : cause('theme_member', { name: path.join('.'), why })
  return fail(problemAt(text, offsetOf(text, path), problem))
}

interface Mistake {
  readonly path: readonly string[]
  readonly why: Cause
}

/** The first mistake in the form of a manifest. */
function mistakeOf({ issues: [issue] }: z.ZodError): Mistake | null {
  if (issue === undefined) return null
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return { path: [...path, ...issue.keys.slice(0, 1)], why: cause('theme_unknown') }
  if (issue.code === 'invalid_type') return { path, why: cause('theme_type', { name: issue.expected }) }
  if (issue.message === 'theme_color') return { path, why: colorWanted }
  return { path, why: cause(isCauseCode(issue.message) ? issue.message : 'theme_invalid') }
}

/** The first mistake in the settings of a manifest of the right form. */
function mistakeIn({ settings }: ThemeManifest): Mistake | null {
  const seen = new Set<string>()
  for (const [at, setting] of settings.entries()) {
    const path = ['settings', String(at)]
    const why = problemOfValue(setting, setting.default)
    if (why !== null) return { path: [...path, 'default'], why }
    if (seen.has(setting.key)) return { path: [...path, 'key'], why: cause('theme_twice') }
    seen.add(setting.key)
  }
  return null
}

/** A site's settings for a theme. Missing settings get their default; those of other themes are left out. */
export function settingsFor(
  { settings }: Pick<ThemeManifest, 'settings'>,
  given: ThemeSettings,
): Result<ThemeSettings, ThemeProblem> {
  const values: Record<string, string | number | boolean> = {}
  for (const setting of settings) {
    const value = inItsType(setting, given[setting.key] ?? setting.default)
    const why = problemOfValue(setting, value)
    if (why !== null) {
      const problem = cause('theme_setting', { name: setting.key, why })
      return fail({ file: themeManifestFile, line: null, column: null, problem })
    }
    values[setting.key] = value
  }
  return ok(values)
}

const switchWords: ReadonlyMap<unknown, boolean> = new Map([
  ['on', true],
  ['true', true],
  ['off', false],
  ['false', false],
])

/** Converts a value to the type of its setting: one that was written as text, or that looked like another type. */
function inItsType({ type }: ThemeSetting, value: string | number | boolean): string | number | boolean {
  if (type === 'text' || type === 'choice') return String(value)
  if (type === 'switch') return switchWords.get(value) ?? value
  return type === 'number' && typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))
    ? Number(value)
    : value
}

function problemOfValue(setting: ThemeSetting, value: unknown): Cause | null {
  switch (setting.type) {
    case 'text':
      return typeof value === 'string' && value.length <= textAtMost ? null : cause('theme_text', { name: textAtMost })
    case 'color':
      return color.safeParse(value).success ? null : colorWanted
    case 'switch':
      return typeof value === 'boolean' ? null : cause('theme_switch')
    case 'number': {
      const { min, max } = setting
      const isWithin = typeof value === 'number' && value >= min && value <= max
      return isWithin ? null : cause('theme_number', { name: min, why: max })
    }
    case 'choice': {
      const values = setting.choices.map((choice) => choice.value)
      return values.some((choice) => choice === value) ? null : cause('theme_choice', { name: values.join(', ') })
    }
  }
}

function problemAt(text: string, offset: number, problem: Cause): ThemeProblem {
  const before = text.slice(0, offset).split('\n')
  return { file: themeManifestFile, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, problem }
}

/** The position of the value of a path in valid JSON, or of the longest part of the path that exists. */
function offsetOf(text: string, path: readonly string[]): number {
  let found = { depth: -1, offset: 0 }
  /** For each open container, the key or index of the current value. */
  const at: { key: string | number }[] = []
  readJson(text, {
    open: (kind) => at.push({ key: kind === 'array' ? 0 : '' }),
    key: (range) => void (at[at.length - 1] = { key: stringText(text, range) }),
    value({ kind, start }) {
      if (kind === 'object' || kind === 'array') at.pop()
      const isOnPath = at.length <= path.length && at.every((part, index) => String(part.key) === path[index])
      if (isOnPath && at.length > found.depth) found = { depth: at.length, offset: start }
      const around = at.at(-1)
      if (typeof around?.key === 'number') around.key++
    },
  })
  return found.offset
}
