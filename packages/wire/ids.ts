/** A string of one kind. Any string can become one, but none of another kind, so that two ids cannot be swapped. */
type Named<Kind extends string> = string & { readonly kindOf?: Kind }

/** An integration profile of this library: letters, digits, `.`, `_` and `-`. */
export type SiteId = Named<'site'>
/** Site ids appear in paths, URLs and keychain names, so they contain no special characters. */
export const siteIdForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
/** The CMS's identifier of an article: any string, compared by code unit. */
export type MaterialId = Named<'material'>
/** The service's identifier of a saved state of a material: any string. */
export type VersionId = Named<'version'>
/** The service's identifier of a saved font set: any string. */
export type SnapshotId = Named<'snapshot'>
/** The name of a blob: 64 lower-case hex digits. Names files on disk, so only a checked string becomes one. */
export type Sha256 = string & { readonly kindOf: 'sha256' }
export const isSha256 = (text: string): text is Sha256 => /^[0-9a-f]{64}$/.test(text)
/** Galley's identifier of a received callback. */
export type CallbackId = Named<'callback'>
/** Galley's identifier of a background task. Not kept across restarts. */
export type TaskId = string
