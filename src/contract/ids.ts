declare const brand: unique symbol

/** A string that has been checked, or came from a place that only holds checked ones, to be this kind of name. */
type Named<Kind extends string> = string & { readonly [brand]: Kind }

/** One integration profile of this library; letters, digits, `.`, `_` and `-`. */
export type SiteId = Named<'site'>
/** Site ids are part of paths, URLs and names in the keychain, so none can mean anything there. */
export const siteIdForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
/** The CMS' own identifier of an article; any string, compared unit by unit. */
export type MaterialId = Named<'material'>
/** The service's name of one saved state of a material; any string. */
export type VersionId = Named<'version'>
/** The service's name of one saved font set; any string. */
export type SnapshotId = Named<'snapshot'>
/** 64 lower-case hex digits: the name of a blob. */
export type Sha256 = Named<'sha256'>
/** Galley's own name of one received callback. */
export type CallbackId = Named<'callback'>
/** Galley's own name of one piece of work that takes its time; not kept over a restart. */
export type TaskId = string
