import type { ThemeProblem } from '@galley/library/records'
import { plainName } from '@galley/library/records'
import type { Cause, Found, Result } from '@galley/wire'
import { cause, fail, ok, percentDecoded, rewriteCss } from '@galley/wire'

import { isAbsoluteUrl } from './urls.ts'

/** The path of an asset. It contains a hash, so new content gets a new URL. All assets are in one folder. */
export function assetPath(name: string, sha256: string): string {
  const [, stem = name, ending = ''] = /^(.*?)\.([a-z0-9]{1,11})$/i.exec(name) ?? []
  const readable = plainName(stem, 40)
  return `theme/${readable === '' ? '' : `${readable}-`}${sha256.slice(0, 16)}.${ending === '' ? 'bin' : ending.toLowerCase()}`
}

/** Sets the path of an asset from its bytes, or from the rewritten bytes of a style sheet. */
type Place = (name: string, css: string | null) => string

/** Sets the path of every asset. A style sheet comes after the assets that it refers to, since it contains their addresses. */
export function placeAssets(
  names: readonly string[],
  cssOf: (name: string) => string,
  place: Place,
): Result<void, ThemeProblem> {
  const paths = new Map<string, string>()
  const known = new Set(names)
  const ahead = new Set<string>()
  let problem: ThemeProblem | null = null

  function pathOf(name: string): string {
    const done = paths.get(name)
    if (done !== undefined) return done
    ahead.add(name)
    const path = place(name, name.endsWith('.css') ? rewritten(name) : null)
    ahead.delete(name)
    paths.set(name, path)
    return path
  }

  function rewritten(name: string): string {
    const css = cssOf(name)
    const wrong = (ref: string, what: Cause): void => {
      const before = css.slice(0, Math.max(0, css.indexOf(ref))).split('\n')
      problem ??= {
        file: `assets/${name}`,
        line: before.length,
        column: (before.at(-1)?.length ?? 0) + 1,
        problem: what,
      }
    }
    return rewriteCss(css, (text, place): readonly Found[] => {
      // A string of a custom property, such as the name of a typeface.
      if (place !== 'address') return []
      // The text may still contain the quotes and the parenthesis around the address, and what follows them.
      const [, before = '', rest = ''] = /^([\s"']*)([^?#]*)/.exec(text) ?? []
      const shortest = /^[^\s"')]*/.exec(rest)?.[0] ?? ''
      if (shortest === '' || isAbsoluteUrl(shortest) || rest.startsWith('/')) return []
      const readings = [rest.replace(/[\s"')]+$/, ''), rest.replace(/\).*$/s, ''), shortest]
      const targetOf = (ref: string): string => {
        const { pathname } = new URL(ref, `https://theme.invalid/${name}`)
        return (percentDecoded(pathname) ?? pathname).slice(1).replace(/^assets\//, '')
      }
      const ref = readings.find((each) => known.has(targetOf(each))) ?? shortest
      const target = targetOf(ref)
      if (!known.has(target)) wrong(ref, cause('theme_lacks', { name: `assets/${target}` }))
      else if (ahead.has(target)) wrong(ref, cause('theme_circle', { name: ref }))
      else {
        const start = before.length
        const replacement = pathOf(target).replace(/^theme\//, '')
        return [{ start, end: start + ref.length, name: ref, replacement }]
      }
      return []
    }).text
  }

  for (const name of names) pathOf(name)
  return problem === null ? ok(undefined) : fail(problem)
}
