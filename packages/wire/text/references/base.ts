import { scanHtml } from '../html/html-scan.ts'
import { entities } from './encodings.ts'
import { decodedView, plainView } from './view.ts'

/** The address in the first `<base>` of markup; null if it has none. */
export function firstBase(html: string): string | null {
  if (!/<base\b/i.test(html)) return null
  const found: string[] = []
  scanHtml(html, {
    attribute({ element, name, start, end }) {
      if (element === 'base' && name === 'href' && found.length === 0)
        found.push(decodedView(plainView(html, start, end), entities()).text)
    },
    rawText: () => undefined,
  })
  return found[0]?.replace(/[\t\n\r]+/g, '').trim() ?? null
}

/** Longer bases are ignored, because every address of a frame is resolved against its base. */
const frameBaseMax = 2000

/** The base of a frame's own page; null if it has none. */
export function frameBase(html: string): string | null {
  const base = firstBase(html)
  return base === null || base.length > frameBaseMax ? null : base
}

const hasScheme = /^[a-z][a-z0-9+.-]*:/i
const isRooted = /^[\\/]/

/** Whether a base resolves to the same URL from every page of a site. */
export const isFixedBase = (base: string): boolean => hasScheme.test(base) || isRooted.test(base)

/**
 * An address resolved against a base, so that it works without one: absolute, or relative to what the base is relative
 * to.
 */
export function behindBase(base: string, ref: string): string {
  if (hasScheme.test(ref) || base === '') return ref
  if (hasScheme.test(base)) return URL.canParse(ref, base) ? new URL(ref, base).href : ref
  if (isRooted.test(ref)) return ref
  const path = base.replace(/[?#].*$/s, '')
  if (ref === '' || ref.startsWith('#')) return base.replace(/#.*$/s, '') + ref
  return ref.startsWith('?') ? path + ref : path.replace(/[^\\/]*$/, '') + ref
}
