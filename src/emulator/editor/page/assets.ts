import { temporaryName } from '../../../contract/text/references/temporary-name.ts'

/** A file of the page as `vms_json.assets` has it. */
export interface Asset {
  readonly clientUrl: string
  /** The entry's JSON text; what it holds beside `clientUrl` is kept. */
  readonly entry: string
}

/** Files of a page by name. */
export type Assets = ReadonlyMap<string, Asset>

/** The entry of a file that the site has not seen. */
export const newAsset = (file: string): Asset => {
  const clientUrl = temporaryName(file)
  return { clientUrl, entry: JSON.stringify({ clientUrl }) }
}

/** Whether the site has given the file a public address. */
export const isPublic = ({ clientUrl }: Asset): boolean => /^https?:\/\//i.test(clientUrl)

/** How the page's HTML refers to a file: by its public address, or by the name that the site will replace. */
export const referenceTo = (assets: Assets, file: string): string => {
  const asset = assets.get(file)
  return asset !== undefined && isPublic(asset) ? asset.clientUrl : temporaryName(file)
}

/** Where the browser finds a file, the best place first: with the site, else the copy that the service may have. */
export const addressesOf = (asset: Asset | undefined, copy: string): readonly string[] =>
  asset !== undefined && isPublic(asset) ? [asset.clientUrl, copy] : [copy]
