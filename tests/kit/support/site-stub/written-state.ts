import { writeClientUrls } from '../../../../packages/wire/protocol/state.ts'
import type { Has } from './faults.ts'
import { isJsonObject } from './reading.ts'

/** The state with public URLs, by all the ways there are to get it wrong; null when it cannot be used. */
export function writtenState(
  has: Has,
  state: string,
  urls: ReadonlyMap<string, string>,
  earlier: ReadonlyMap<string, string>,
): string | null {
  if (has('leaves-dummies')) return isJsonObject(state) ? state : null
  if (has('replaces-in-text')) {
    if (!isJsonObject(state)) return null
    return [...urls].reduce((text, [name, url]) => text.replaceAll(`dummy-${name}`, url), state)
  }
  const wanted = has('keeps-old-urls') && /"clientUrl":"http/.test(state) ? new Map<string, string>() : urls
  const filled = has('fills-null-assets') ? state.replace(/("[^"]+\.png":)null/g, '$1{}') : state
  const made = writeClientUrls(filled, wanted, earlier)
  if (!made.ok) return has('fills-what-is-gone') && isJsonObject(state) ? state : null
  let text = made.value.text
  if (has('adds-empty-assets') && !text.includes('"assets"'))
    text = text.replace(/\}\s*$/, `${/^\s*\{\s*\}\s*$/.test(text) ? '' : ','}"assets":{}}`)
  if (has('empties-urls')) text = text.replace(/"clientUrl":"[^"]*"/g, '"clientUrl":""')
  if (has('lists-for-objects')) text = text.replaceAll('{}', '[]')
  if (has('reparses-state')) text = JSON.stringify(JSON.parse(text))
  if (has('drops-unknown-keys')) {
    const { title, blocks, assets } = JSON.parse(text) as Record<string, unknown>
    text = JSON.stringify({ title, blocks, assets })
  }
  if (has('sorts-keys')) text = JSON.stringify(sorted(JSON.parse(text)))
  if (has('makes-up-assets')) {
    const whole = JSON.parse(text) as { assets?: Record<string, unknown> }
    for (const [name, url] of urls) (whole.assets ??= {})[name] ??= { clientUrl: url }
    text = JSON.stringify(whole)
  }
  return text
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}
