import { temporaryName } from '@galley/wire'

/** A file of the page, as listed in `vms_json.assets`. */
export interface Asset {
  readonly clientUrl: string
  /** The entry's JSON text; members other than `clientUrl` are kept. */
  readonly entry: string
}

/** Files of a page by name. */
export type Assets = ReadonlyMap<string, Asset>

/** The entry of a file that the site has not received yet. */
export const newAsset = (file: string): Asset => {
  const clientUrl = temporaryName(file)
  return { clientUrl, entry: JSON.stringify({ clientUrl }) }
}

/** Whether the site has given the file a public URL. */
export const isPublic = ({ clientUrl }: Asset): boolean => /^https?:\/\//i.test(clientUrl)

/** How the page's HTML refers to a file: by its public URL, or by the temporary name that the site replaces. */
export const referenceTo = (assets: Assets, file: string): string => {
  const asset = assets.get(file)
  return asset !== undefined && isPublic(asset) ? asset.clientUrl : temporaryName(file)
}

/** URLs at which the browser may find a file, in order of preference: the site, then the service's copy. */
export const addressesOf = (asset: Asset | undefined, copy: string): readonly string[] =>
  asset !== undefined && isPublic(asset) ? [asset.clientUrl, copy] : [copy]
