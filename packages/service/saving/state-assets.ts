import { temporaryName, temporaryPrefix } from '@galley/wire'

import { isJsonObject, parseJsonObject } from '../json/json-value.ts'
import { memberText, setMembers } from '../json/object-text.ts'

/** The entries of a state's `assets`. PHP sites write an empty object as `[]`, which has none. */
export function assetEntries(state: unknown): readonly (readonly [name: string, entry: unknown])[] {
  const assets = isJsonObject(state) ? state['assets'] : undefined
  return isJsonObject(assets) ? Object.entries(assets) : []
}

/** The `clientUrl` of an asset entry; empty when there is none. */
export function clientUrlOf(entry: unknown): string {
  const clientUrl = isJsonObject(entry) ? entry['clientUrl'] : undefined
  return typeof clientUrl === 'string' ? clientUrl : ''
}

/** Whether the asset still has no public URL from the site (contract, Errors 2). */
export const isUnresolved = (clientUrl: string): boolean => clientUrl === '' || clientUrl.startsWith(temporaryPrefix)

/** The files of a state that have no public URL yet. */
export const unresolvedFiles = (state: string): readonly string[] =>
  assetEntries(parseJsonObject(state))
    .filter(([, entry]) => isUnresolved(clientUrlOf(entry)))
    .map(([name]) => name)

/** Adds an `assets` entry for each file; existing entries stay unchanged. */
export function withAssets(state: string, fileNames: Iterable<string>): string {
  const known = new Set(assetEntries(parseJsonObject(state)).map(([name]) => name))
  const added = new Map<string, string>()
  for (const name of fileNames)
    if (!known.has(name)) added.set(name, JSON.stringify({ clientUrl: temporaryName(name) }))
  if (added.size === 0) return state
  return setMembers(state, new Map([['assets', setMembers(assetsText(state), added)]]))
}

/** Sets these public URLs in existing entries; everything else stays exactly as written. */
export function withClientUrls(state: string, urls: ReadonlyMap<string, string>): string {
  const assets = assetsText(state)
  const changed = new Map<string, string>()
  for (const [name, entry] of assetEntries(parseJsonObject(state))) {
    const url = urls.get(name)
    const text = isJsonObject(entry) ? memberText(assets, name) : null
    if (url !== undefined && text !== null && clientUrlOf(entry) !== url)
      changed.set(name, setMembers(text, new Map([['clientUrl', JSON.stringify(url)]])))
  }
  return changed.size === 0 ? state : setMembers(state, new Map([['assets', setMembers(assets, changed)]]))
}

/** Resets the URLs of these files to their temporary names. */
export const withTemporaryUrls = (state: string, names: readonly string[]): string =>
  withClientUrls(state, new Map(names.map((name) => [name, temporaryName(name)])))

/** The text of a state's `assets`; `{}` when it has none. */
export function assetsText(state: string): string {
  const text = memberText(state, 'assets')
  return text?.startsWith('{') === true ? text : '{}'
}
