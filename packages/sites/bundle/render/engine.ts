import type { ThemeProblem, TimeZone } from '@galley/library/records'
import { timeZone } from '@galley/library/records'
import type { Cause, Result } from '@galley/wire'
import { CausedError, cause, fail, ok } from '@galley/wire'
import type { LiquidError } from 'liquidjs'
import { Liquid } from 'liquidjs'

import type { Printable } from './markup.ts'
import { escapeText, Markup, textOf } from './markup.ts'
import type { Theme } from './theme.ts'
import type { Urls } from './urls.ts'

/** Limits per page: more than any theme needs, low enough to stop an endless loop. Times are in milliseconds. */
const limits = { parseLimit: 5_000_000, renderLimit: 20_000, memoryLimit: 500_000_000 } as const

/** How long all pages of one run may take together. Templates of the themes that come with Galley take some 5 ms a page. */
export interface RenderTime {
  /** A clock that only goes forward, in milliseconds. */
  readonly nowMs: () => number
  readonly allowedMs: number
}

/** The name of the value that `{{ 'style.css' | asset }}` reads addresses from. */
export const urlsOfPage = 'galley_urls' as const

/**
 * Renders the templates of a theme with Liquid. The language cannot run an author's code or read files: only the given
 * templates exist. Each is parsed once. All output is escaped unless it is `Markup`. `onImpure`: called when a template prints
 * something that may differ the next time. Dates without an
 * offset are wall times of `zone`, on every computer.
 */
export function createEngine(
  { templates, assets }: Pick<Theme, 'templates' | 'assets'>,
  zone: string,
  onImpure: () => void,
  { nowMs, allowedMs }: RenderTime,
) {
  const liquid = new Liquid({
    ...limits,
    templates: Object.fromEntries(templates),
    cache: templates.size + 1,
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: 'en-US',
    outputEscape: (value: Printable) => (value instanceof Markup ? value.print() : escapeText(textOf(value))),
  })
  liquid.registerFilter('asset', function asset(name: Printable) {
    const path = assets.get(textOf(name))
    if (path === undefined) throw new CausedError(cause('theme_lacks', { name: `assets/${textOf(name)}` }))
    // The engine would call a function value.
    const urls = this.context.getSync([urlsOfPage]) as Urls
    return urls.to(path)
  })

  watchFilters(liquid, timeZone(zone), onImpure)

  const spentMs = new Map<string, number>()
  let leftMs = allowedMs

  /** The template with most of the time is the slow one, whichever page comes last. */
  function tooSlow(path: string): ThemeProblem {
    const [[file] = ['']] = [...spentMs].toSorted(([, one], [, other]) => other - one)
    const why = Math.round(allowedMs / 1000)
    return { file, line: null, column: null, problem: cause('theme_slow', { name: path, why }) }
  }

  return {
    /** Layouts and partials see `values` too. */
    render(
      name: string,
      values: { readonly [urlsOfPage]: Urls; readonly [name: string]: unknown },
    ): Result<string, ThemeProblem> {
      const renderLimit = Math.max(1, Math.min(limits.renderLimit, leftMs))
      const startedMs = nowMs()
      let rendered: Result<string, ThemeProblem>
      try {
        const parsed = liquid.parseFileSync(name)
        rendered = ok(String(liquid.renderSync(parsed, {}, { globals: values, renderLimit })))
      } catch (error) {
        rendered = fail(problemOf(error, name, templates))
      }
      const tookMs = nowMs() - startedMs
      spentMs.set(name, (spentMs.get(name) ?? 0) + tookMs)
      leftMs -= tookMs
      return leftMs > 0 ? rendered : fail(tooSlow(values[urlsOfPage].path))
    },
  }
}

/** Filters that can read the clock. The first three print a wall time, the others a moment with its offset. */
const wallFilters = ['date', 'date_to_string', 'date_to_long_string']
const clockFilters = [...wallFilters, 'date_to_xmlschema', 'date_to_rfc822']

type Given = Printable | null | undefined
const isNow = (value: Given): boolean => ['now', 'today'].includes(textOf(value))
const hasOffset = (text: string): boolean => /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\)?$/i.test(text)

/** The milliseconds of a value that names a moment; NaN: it names a wall time, or nothing. */
function momentIn(value: Given): number {
  const text = textOf(value)
  return /^\d+$/.test(text) ? Number(text) * 1000 : hasOffset(text) ? Date.parse(text) : Number.NaN
}

/** A date or time as the engine, which knows only UTC and the zone of the computer, has to be given it. */
function inZone(value: Given, zone: TimeZone, isWall: boolean): Given {
  const text = textOf(value)
  const moment = momentIn(value)
  if (!Number.isNaN(moment)) return isWall ? `${zone.wallOf(new Date(moment).toISOString())}Z` : value
  if (hasOffset(text)) return value
  const wall = Date.parse(/^\d{4}-\d{2}-\d{2}T/.test(text) ? `${text}Z` : `${text} UTC`)
  if (Number.isNaN(wall)) return value
  const utc = new Date(wall).toISOString()
  return isWall ? utc : zone.momentOf(utc.replace(/Z$/, ''))
}

function watchFilters(liquid: Liquid, zone: TimeZone, onImpure: () => void): void {
  const filterOf = (name: string) => {
    const filter = liquid.filters[name]
    if (typeof filter !== 'function') throw new Error(`The engine has no filter ${name}`)
    return filter
  }
  const clock = filterOf('date')
  const watched = (
    name: string,
    isImpure: (value: Given) => boolean,
    read = (value: Given, _rest: readonly unknown[], _now: () => string): Given => value,
  ): void => {
    const filter = filterOf(name)
    liquid.registerFilter(name, function watch(value: Given, ...rest: unknown[]) {
      if (isImpure(value)) onImpure()
      // The engine reads the clock.
      const now = (): string => String(clock.call(this, 'now', '%s'))
      return filter.call(this, read(value, rest, now), ...rest) as unknown
    })
  }
  for (const name of clockFilters)
    watched(name, isNow, (given, [format, offset], now) => {
      // What names an offset or counts seconds is about the moment.
      const isWall = wallFilters.includes(name) && offset === undefined && !/%[-_0^#:]*[sZz]/.test(String(format))
      return inZone(isNow(given) && isWall ? now() : given, zone, isWall)
    })
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
