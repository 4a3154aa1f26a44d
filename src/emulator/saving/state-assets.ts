import { temporaryName, temporaryPrefix } from '../../contract/text/references/temporary-name.ts'
import { isJsonObject, parseJsonObject } from '../json/json-value.ts'
import { memberText, setMembers } from '../json/object-text.ts'

/** The entries of `assets` of a parsed state. A PHP site writes an empty object as `[]`: no entries. */
export function assetEntries(state: unknown): readonly (readonly [name: string, entry: unknown])[] {
  const assets = isJsonObject(state) ? state['assets'] : undefined
  return isJsonObject(assets) ? Object.entries(assets) : []
}

/** The `clientUrl` of an asset entry; empty when it has none. */
export function clientUrlOf(entry: unknown): string {
  const clientUrl = isJsonObject(entry) ? entry['clientUrl'] : undefined
  return typeof clientUrl === 'string' ? clientUrl : ''
}

/** Whether the site still owes this asset its public URL (contract, Errors 2). */
export const isUnresolved = (clientUrl: string): boolean => clientUrl === '' || clientUrl.startsWith(temporaryPrefix)

/** The files of a state text that have no public URL yet. */
export const unresolvedFiles = (state: string): readonly string[] =>
  assetEntries(parseJsonObject(state))
    .filter(([, entry]) => isUnresolved(clientUrlOf(entry)))
    .map(([name]) => name)

/** The state with an `assets` entry for each file; entries that are there stay as the editor wrote them. */
export function withAssets(state: string, fileNames: Iterable<string>): string {
  const known = new Set(assetEntries(parseJsonObject(state)).map(([name]) => name))
  const added = new Map<string, string>()
  for (const name of fileNames)
    if (!known.has(name)) added.set(name, JSON.stringify({ clientUrl: temporaryName(name) }))
  if (added.size === 0) return state
  return setMembers(state, new Map([['assets', setMembers(assetsText(state), added)]]))
}

/** The state with these public URLs in the entries that it has; everything else stays as it is, to the character. */
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

/** The state in which these files wait for their public URL again. */
export const withTemporaryUrls = (state: string, names: readonly string[]): string =>
  withClientUrls(state, new Map(names.map((name) => [name, temporaryName(name)])))

/** The text of a state's `assets`; that of an empty object when it has none. */
export function assetsText(state: string): string {
  const text = memberText(state, 'assets')
  return text?.startsWith('{') === true ? text : '{}'
}
