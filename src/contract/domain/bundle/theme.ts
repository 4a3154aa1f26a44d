import type { Result } from '../../result.ts'
import { fail, ok } from '../../result.ts'

/** The files of a theme, and what may stand in each as `{{name}}`. */
export const themeFiles = {
  'page.html': ['lang', 'title', 'site', 'head', 'home', 'style', 'content'],
  'home.html': ['lang', 'site', 'head', 'style', 'pages'],
  'home-item.html': ['url', 'title', 'date'],
  'style.css': [],
} as const

export type ThemeFile = keyof typeof themeFiles
export type Theme = Readonly<Record<ThemeFile, string>>

/** Without these a bundle would have no articles or no way to them. */
const needed: Partial<Record<ThemeFile, string>> = {
  'page.html': 'content',
  'home.html': 'pages',
  'home-item.html': 'url',
}

const placeholder = /\{\{\s*([\w-]+)\s*\}\}/g

/** Finds the mistakes of a theme's author before anything is written. */
export function checkTheme(theme: Theme): Result<Theme, { readonly file: ThemeFile; readonly problem: string }> {
  for (const file of Object.keys(themeFiles) as ThemeFile[]) {
    if (file === 'style.css') continue
    const known: readonly string[] = themeFiles[file]
    const used = [...theme[file].matchAll(placeholder)].map(([, name = '']) => name)
    const unknown = used.find((name) => !known.includes(name))
    const listed = known.map((name) => `{{${name}}}`).join(', ')
    if (unknown !== undefined) return fail({ file, problem: `{{${unknown}}} is unknown; use only ${listed}` })
    const missing = needed[file]
    if (missing !== undefined && !used.includes(missing)) return fail({ file, problem: `{{${missing}}} is missing` })
  }
  return ok(theme)
}

/** Markup that goes in as it is; every other value is text and is escaped. */
export interface Markup {
  readonly markup: string
}

/** Fills a template in one pass: what a value holds is never read as a placeholder. */
export const fill = (template: string, values: Readonly<Record<string, string | Markup>>): string =>
  template.replace(placeholder, (all, name: string) => {
    const value = values[name]
    if (value === undefined) return all
    return typeof value === 'string' ? escapeText(value) : value.markup
  })

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text between tags and for quoted attributes. */
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
