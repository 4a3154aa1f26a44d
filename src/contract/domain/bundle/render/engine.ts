import type { LiquidError } from 'liquidjs'
import { Liquid } from 'liquidjs'

import type { Cause } from '../../../cause.ts'
import { cause, CausedError } from '../../../cause.ts'
import type { Result } from '../../../result.ts'
import { fail, ok } from '../../../result.ts'
import type { ThemeProblem } from '../failure.ts'
import { renderDirectly } from './direct-rendering.ts'
import type { Printable } from './markup.ts'
import { escapeText, Markup, textOf } from './markup.ts'
import type { Theme } from './theme.ts'
import type { Urls } from './urls.ts'

/** Limits per page: more than any theme needs, low enough to stop an endless loop. */
const limits = { parseLimit: 5_000_000, renderLimit: 20_000, memoryLimit: 500_000_000 } as const

/** The name of the value that `{{ 'style.css' | asset }}` reads addresses from. */
export const urlsOfPage = 'galley_urls'

/**
 * Renders the templates of a theme with Liquid. The language cannot run an author's code or read files: only the given
 * templates exist. Each is parsed once. All output is escaped unless it is `Markup`. `onImpure`: called when a template prints
 * something that may differ the next time.
 */
export function createEngine({ templates, assets }: Pick<Theme, 'templates' | 'assets'>, onImpure: () => void) {
  const liquid = new Liquid({
    ...limits,
    templates: Object.fromEntries(templates),
    cache: templates.size + 1,
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    outputEscape: (value: Printable) => (value instanceof Markup ? value.print() : escapeText(textOf(value))),
  })
  liquid.registerFilter('asset', function asset(name: Printable) {
    const path = assets.get(textOf(name))
    if (path === undefined) throw new CausedError(cause('theme_lacks', { name: `assets/${textOf(name)}` }))
    // The engine would call a function value.
    const urls = this.context.getSync([urlsOfPage]) as Urls
    return urls.to(path)
  })

  noteImpureFilters(liquid, onImpure)
  renderDirectly(liquid)

  return {
    /** Layouts and partials see `values` too. */
    render(name: string, values: object): Result<string, ThemeProblem> {
      try {
        const parsed = liquid.parseFileSync(name)
        return ok(String(liquid.renderSync(parsed, {}, { globals: values })))
      } catch (error) {
        return fail(problemOf(error, name, templates))
      }
    },
  }
}

/** Filters that can read the clock. */
const clockFilters = ['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string']

function noteImpureFilters(liquid: Liquid, onImpure: () => void): void {
  const watched = (name: string, isImpure: (value: Printable | null | undefined) => boolean): void => {
    const filter = liquid.filters[name]
    if (typeof filter !== 'function') throw new Error(`The engine has no filter ${name}`)
    liquid.registerFilter(name, function watch(value: Printable, ...rest: unknown[]) {
      if (isImpure(value)) onImpure()
      return filter.call(this, value, ...rest) as unknown
    })
  }
  for (const name of clockFilters) watched(name, (value) => ['now', 'today'].includes(textOf(value)))
  watched('sample', () => true)
}

/** The position that the engine appends to its messages. */
const whereAtEnd = /(?:, file:.*)?, line:\d+, col:\d+$/s

const isLiquidError = (error: unknown): error is LiquidError => error instanceof Error && 'token' in error

function problemOf(error: unknown, name: string, templates: Theme['templates']): ThemeProblem {
  if (!isLiquidError(error)) return { file: name, line: null, column: null, problem: causeOf(error) }
  const { token } = error
  const [line = null, column = null] = token.getPosition()
  // Not every token knows its file, but each holds the whole template text.
  const file = token.file ?? [...templates].find(([, text]) => text === token.input)?.[0] ?? name
  return { file, line, column, problem: causeOf(error.originalError ?? error) }
}

/** The engine has its own English message for each mistake, with terms that authors may not know. */
function causeOf(error: unknown): Cause {
  if (error instanceof CausedError) return error.reason
  const message = (error instanceof Error ? error.message : String(error)).replace(whereAtEnd, '')
  const missing = /^ENOENT: Failed to lookup "(.*)" in ".*"$/s.exec(message)?.[1]
  if (missing !== undefined) return cause('theme_lacks', { name: missing })
  return message === 'Maximum call stack size exceeded'
    ? cause('theme_endless')
    : cause('theme_engine', { name: message })
}
