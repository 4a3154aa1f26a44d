import { z } from 'zod'

import type { Result } from '../../../result.ts'
import { fail, ok } from '../../../result.ts'
import { readJson, stringText } from '../../../text/json/reader.ts'
import type { ThemeSettings } from '../../site-model.ts'
import type { ThemeProblem } from '../failure.ts'
import { wordKeys } from './words.ts'

const key = z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and _')
/** A text of a form: the same for all languages, or by language, with English as the fallback. */
const localText = z.union([
  z.string().min(1).max(500),
  z.record(z.string().regex(/^[a-z]{2}$/), z.string().min(1).max(500)).refine((texts) => 'en' in texts, 'needs "en"'),
])
export type LocalText = z.infer<typeof localText>

export const textIn = (text: LocalText, language: string): string =>
  typeof text === 'string' ? text : (text[language] ?? text['en'] ?? '')

const named = { key, label: localText, help: localText.optional() }
const color = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1f5fd0')

const settingSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ ...named, type: z.literal('text'), default: z.string().max(2000) }),
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
  .superRefine((setting, context) => {
    const problem = problemOfValue(setting, setting.default)
    if (problem !== null) context.addIssue({ code: 'custom', path: ['default'], message: problem })
  })

/** A setting that a theme offers, shown as a field of a form. */
export type ThemeSetting = z.infer<typeof settingSchema>

const manifestSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens'),
  label: localText,
  version: z.string().min(1).max(50),
  settings: z
    .array(settingSchema)
    .max(100)
    .default([])
    .superRefine((settings, context) => {
      const seen = new Set<string>()
      settings.forEach((setting, index) => {
        if (seen.has(setting.key)) context.addIssue({ code: 'custom', path: [index, 'key'], message: 'is used twice' })
        seen.add(setting.key)
      })
    }),
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
  if (!broken.ok) return fail(problemAt(text, broken.failure.offset, 'is not valid JSON'))
  const read = manifestSchema.safeParse(JSON.parse(text))
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...(issue?.path ?? []), ...unknown]
  const place = path.length === 0 ? '' : `${path.join('.')}: `
  const problem = unknown.length > 0 ? 'is not known' : (issue?.message ?? 'is wrong')
  return fail(problemAt(text, offsetOf(text, path.map(String)), place + problem))
}

/** A site's settings for a theme. Missing settings get their default; those of other themes are left out. */
export function settingsFor(
  { settings }: Pick<ThemeManifest, 'settings'>,
  given: ThemeSettings,
): Result<ThemeSettings, ThemeProblem> {
  const wrong = (problem: string) => fail({ file: themeManifestFile, line: null, column: null, problem })
  const values: Record<string, string | number | boolean> = {}
  for (const setting of settings) {
    const value = inItsType(setting, given[setting.key] ?? setting.default)
    const problem = problemOfValue(setting, value)
    if (problem !== null) return wrong(`the setting ${setting.key} ${problem}`)
    values[setting.key] = value
  }
  return ok(values)
}

/** A value that was written as a text, and one that looked like another type where it was written, as its setting wants it. */
function inItsType({ type }: ThemeSetting, value: string | number | boolean): string | number | boolean {
  if (type === 'text' || type === 'choice') return String(value)
  return type === 'number' && typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))
    ? Number(value)
    : value
}

function problemOfValue(setting: ThemeSetting, value: unknown): string | null {
  switch (setting.type) {
    case 'text':
      return typeof value === 'string' && value.length <= 2000 ? null : 'must be a text of at most 2,000 characters'
    case 'color':
      return color.safeParse(value).success ? null : 'must be a colour such as #1f5fd0'
    case 'switch':
      return typeof value === 'boolean' ? null : 'must be true or false'
    case 'number': {
      const { min, max } = setting
      return typeof value === 'number' && value >= min && value <= max ? null : `must be a number from ${min} to ${max}`
    }
    case 'choice': {
      const values = setting.choices.map((choice) => choice.value)
      return values.some((choice) => choice === value) ? null : `must be one of ${values.join(', ')}`
    }
  }
}

function problemAt(text: string, offset: number, problem: string): ThemeProblem {
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
