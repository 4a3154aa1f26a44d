/** The entry of a file in `vms_json.assets`; keys beside `clientUrl` are kept. */
export interface Asset {
  readonly clientUrl: string
}

/** Files of a page by name. */
export type Assets = ReadonlyMap<string, Asset>

/** The name of a file before the site has stored it (contract, Editor state). */
export const temporaryName = (file: string): string => `dummy-${file}`

/** Whether the site has given the file a public address. */
export const isPublic = ({ clientUrl }: Asset): boolean => /^https?:\/\//.test(clientUrl)

/** How the page's HTML refers to a file: by its public address, or by the name that the site will replace. */
export const referenceTo = (assets: Assets, file: string): string => {
  const asset = assets.get(file)
  return asset !== undefined && isPublic(asset) ? asset.clientUrl : temporaryName(file)
}

/**
 * A name for a new file that no other file of the page has: what was chosen, without what makes paths and addresses
 * awkward. Letters of every script stay.
 */
export function freeName(chosen: string, taken: (name: string) => boolean): string {
  const dot = chosen.lastIndexOf('.')
  const stem = plain(dot > 0 ? chosen.slice(0, dot) : chosen) || 'image'
  const extension = dot > 0 ? plain(chosen.slice(dot + 1)).toLowerCase() : ''
  const name = (count: number): string =>
    `${stem}${count > 1 ? `-${count}` : ''}${extension === '' ? '' : `.${extension}`}`
  let count = 1
  while (taken(name(count))) count++
  return name(count)
}

const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
