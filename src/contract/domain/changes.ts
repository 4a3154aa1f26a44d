import { z } from 'zod'

import type { CallbackId, MaterialId, Sha256, SiteId, SnapshotId, VersionId } from '../ids.ts'
import { siteIdForm } from '../ids.ts'
import type { BrokenLink } from './broken-link.ts'
import { isPagePath, isTagFolder, redirectParts } from './page-path.ts'
import { releaseCounts } from './release.ts'
import type { RemarkCode } from './remark.ts'
import { remarkCodes } from './remark.ts'
import { moment, pageFields, publishingFields } from './site-model-fields.ts'
import { targetNameForm, targetSettings } from './target.ts'

// The log of a library: everything that happens to what it shares, as a closed union of values. Changes contain codes and
// facts, no sentences. Sizes are in bytes, durations in milliseconds, times in ISO 8601 UTC. The meaning of a released kind
// never changes. A new kind, a new code or a new required member raises `logFormat`.

/**
 * The newest format of entries that this version of Galley reads. 2: materials are archived and deleted. 3: pages have
 * settings, addresses that last and a moment of publication, and sites are published to targets. 4: a team removes files
 * from its bucket. 5: a save warns of a style sheet that was not read. 6: a save warns of a file that was deleted before,
 * and pages redirect from queries. 7: addresses have letters of any script, a site has an id that its targets name and a
 * time zone, and pages have a moment of their update and of the version that was published first.
 */
export const logFormat = 7

/** The format that first knows a remark; all others are older. */
const remarkFormats: Partial<Record<RemarkCode, number>> = { style_sheet_unread: 5, stored_file_missing: 6 }

/** The maximum number of changes in an entry: the row ids of an entry are counted from its position. */
export const changesPerEntry = 1000

/** Checked again, because the log may come from a foreign backup. */
const siteId = z
  .string()
  .regex(siteIdForm)
  .transform((id): SiteId => id)
const materialId = z.string().transform((id): MaterialId => id)
const versionId = z.string().transform((id): VersionId => id)
const snapshotId = z.string().transform((id): SnapshotId => id)
const callbackId = z.string().transform((id): CallbackId => id)
const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .transform((text) => text as Sha256)
/** Written into pages unchanged, before a path, so it contains no character with a meaning in HTML. */
const publicBase = z.string().regex(/^https?:\/\/[A-Za-z0-9\-._~:/%[\]]+$/)
const count = z.int().min(0)
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()

const site = z.object({
  id: siteId,
  name: z.string(),
  environment: z.enum(['dev', 'prod']),
  baseUrl: z.string(),
  apiKey: z.string(),
  callbackUrl: z.string(),
  publicUrl: z.string().nullable(),
  allowedDomains: list(z.string()),
  downloadOrigins: list(z.string()),
  signatureHeader: z.string(),
  publish: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('listener') }),
    z.object({ kind: z.literal('folder'), directory: z.string() }),
    z.object({
      kind: z.literal('s3'),
      bucket: z.string(),
      prefix: z.string(),
      endpoint: z.string().optional(),
      region: z.string().optional(),
      publicCheck: z.literal('off').optional(),
    }),
  ]),
  unknownMaterials: z.enum(['refuse', 'accept']),
  callbackAuth: z.enum(['none', 'basic', 'bearer']),
  maxContentBytes: count,
  requestTimeoutMs: count,
  downloadTimeoutMs: count,
})

const blob = z.object({
  sha256,
  sizeBytes: count,
  /** The location of its bytes: a range of this pack. Null: a file with its own hash as the name. */
  pack: z.object({ sha256, offset: count }).nullable(),
})
/** A blob that is on disk and may be referenced. */
export type NewBlob = Readonly<z.output<typeof blob>>

const namedBlob = z.object({ name: z.string(), sha256, sizeBytes: count })

/** A media URL of this library in a page or state: the first 32 hex digits of the hash, and the file's name. */
const mediaReference = z.object({
  hashStart: z.string().regex(/^[0-9a-f]{32}$/),
  name: z.string(),
  /** Set in a log that was created from an index, because the version that brought the file may be deleted. */
  sha256: sha256.optional(),
})
export type MediaReference = Readonly<z.output<typeof mediaReference>>

const remark = z.object({ code: z.enum(remarkCodes), name: z.string() })

const version = z.object({
  site: siteId,
  materialId,
  versionId,
  versionCdate: z.string().nullable(),
  receivedAt: z.string(),
  userEmail: z.string().nullable(),
  html: sha256,
  state: sha256,
  metadata: z.string().nullable(),
  archiveSha256: sha256,
  keptSha256: sha256,
  sizeBytes: count,
  publicBase,
  warnings: list(remark),
  media: list(namedBlob),
  /** Files of earlier saves whose public URL is in the page or state. Null: not read yet. */
  references: list(mediaReference).nullable(),
  /** Of `references`, see `media-references.ts`. References of an earlier form are read again. */
  referencesForm: count.optional(),
  /** Heading of the page. It is the material's title until a person sets one. */
  title: z.string().nullable(),
})
/** A version whose blobs are on disk. */
export type NewVersion = Readonly<z.output<typeof version>>

const snapshot = z.object({
  site: siteId,
  snapshotId,
  receivedAt: z.string(),
  css: sha256,
  tree: sha256.nullable(),
  answer: sha256.nullable(),
  archiveSha256: sha256,
  keptSha256: sha256,
  publicBase,
  warnings: list(remark),
  files: list(namedBlob),
})
/** A font set whose blobs are on disk. */
export type NewSnapshot = Readonly<z.output<typeof snapshot>>

/** The callback that stored a save, as the callback log shows it. `payload` is redacted JSON text. */
const delivery = z.object({
  id: callbackId,
  receivedAt: z.string(),
  materialId: z.string().nullable(),
  contentUrl: z.string().nullable(),
  payload: z.string().nullable(),
  headers: list(z.object({ name: z.string(), value: z.string().nullable() })),
  bodyBytes: count.nullable(),
  rm: z.string(),
  steps: list(z.object({ name: z.string(), ms: z.number() })),
  durationMs: z.number().nullable(),
})
export type LoggedDelivery = Readonly<z.output<typeof delivery>>

const pause = z.object({ reason: z.string(), since: z.string() })

const versionName = z.object({ site: siteId, materialId, versionId })
export type VersionName = Readonly<z.output<typeof versionName>>

const erasedVersion = versionName.extend({
  /** The person saved this version, so its e-mail address is removed. */
  isEditor: z.boolean(),
  /** Replaces its metadata. */
  metadata: z.string().nullable(),
  /** The archive to store: rewritten without the person, or unchanged. */
  keptSha256: sha256,
})

const json = z.record(z.string(), z.unknown())

const targetName = z.string().regex(targetNameForm)

/** The reasons are those of the version of Galley that wrote them. */
const brokenLink = json.transform((link) => link as unknown as BrokenLink)

/** A completed release. */
const release = z.object({
  id: z.string(),
  site: siteId,
  target: targetName,
  at: z.string(),
  record: sha256,
  rollbackOf: z.string().nullable(),
  by: z.enum(['person', 'schedule']),
  counts: releaseCounts,
  /** Empty for a release that cannot be published again. */
  pages: list(z.object({ materialId, versionId })),
  links: z
    .object({ checked: count, broken: count, list: list(brokenLink) })
    .nullable()
    .default(null),
})

/** One change. */
export const change = z.discriminatedUnion('kind', [
  /** The first change of a log. Repeated when a copy becomes a separate library, and when the beginning of a log is erased. */
  z.object({ kind: z.literal('library_named'), library: z.string(), at: z.string() }),

  z.object({
    kind: z.literal('site_saved'),
    site,
    /** Set in a log that was created from an index: the bases of all its saves, because some of those may be deleted. */
    publicBases: list(publicBase).optional(),
    /** Random, made with the site: what its targets are known by. Missing: unchanged. */
    owner: z.uuid().optional(),
  }),
  z.object({ kind: z.literal('site_removed'), site: siteId, at: z.string() }),
  z.object({
    kind: z.literal('rules_saved'),
    site: siteId,
    editors: list(z.object({ pattern: z.string(), reason: z.string() })),
    expiredToken: z.object({ action: z.enum(['refuse', 'accept']), key: z.string() }),
  }),
  /** Publishing settings of a site. Missing members are unchanged. */
  z.object({ kind: z.literal('publishing_changed'), site: siteId, ...z.object(publishingFields).partial().shape }),
  /** Settings of these materials of a site. Missing members are unchanged. */
  z.object({
    kind: z.literal('pages_changed'),
    site: siteId,
    materialIds: list(materialId),
    settings: z.object(pageFields).partial(),
  }),
  /** The first addresses of materials, and the first folders of tags. What already has one keeps it. */
  z.object({
    kind: z.literal('addresses_decided'),
    site: siteId,
    addresses: list(z.object({ materialId, path: z.string().refine(isPagePath) })),
    /** By comparable name; missing in logs of earlier versions. */
    tags: list(z.object({ tag: z.string(), folder: z.string().refine(isTagFolder) })).optional(),
  }),
  /** Materials in a published bundle, and the time of publication. A material that already has such a time keeps it. */
  z.object({
    kind: z.literal('pages_published'),
    site: siteId,
    /** `saved`: the moment of the published version, of which the first is kept. */
    pages: list(z.object({ materialId, at: moment, saved: moment.optional() })),
  }),
  /** `site` null: all sites. `pause` null: saves are accepted again. */
  z.object({ kind: z.literal('saves_paused'), site: siteId.nullable(), pause: pause.nullable() }),

  z.object({
    kind: z.literal('material_opened'),
    site: siteId,
    materialId,
    /** Null: unchanged. */
    title: z.string().nullable(),
    slug: z.string().nullable(),
    sessionId: z.string(),
    fingerprint: z.string(),
    url: z.string(),
    at: z.string(),
    /** The caller's own metadata as JSON text. */
    sentMetadata: z.string(),
    /** Null: an early version of Galley did not record it. */
    callbackUrl: z.string().nullable(),
  }),
  z.object({ kind: z.literal('material_renamed'), site: siteId, materialId, title: z.string(), slug: z.string() }),
  z.object({
    kind: z.literal('materials_tagged'),
    site: siteId,
    materialIds: list(materialId),
    add: list(z.string()),
    remove: list(z.string()),
  }),
  /** `reason` null: saves of these materials are accepted again. */
  z.object({
    kind: z.literal('materials_refused'),
    site: siteId,
    materialIds: list(materialId),
    reason: z.string().nullable(),
    at: z.string(),
  }),
  /** `at` null: these materials are back in the lists. */
  z.object({
    kind: z.literal('materials_archived'),
    site: siteId,
    materialIds: list(materialId),
    at: z.string().nullable(),
  }),
  /** The materials with their remaining versions, tags, rules and deliveries. `blobs`: those that are no longer used. */
  z.object({
    kind: z.literal('materials_deleted'),
    site: siteId,
    materialIds: list(materialId),
    blobs: list(sha256),
  }),

  z.object({ kind: z.literal('version_stored'), version, blobs: list(blob), delivery: delivery.nullable() }),
  z.object({ kind: z.literal('fonts_stored'), snapshot, blobs: list(blob), delivery: delivery.nullable() }),
  /** Missing members are unchanged. */
  z.object({
    kind: z.literal('version_marked'),
    version: versionName,
    pinned: z.boolean().optional(),
    tags: list(z.string()).optional(),
    note: z.string().optional(),
    verdict: z
      .object({ kind: z.enum(['approved', 'rejected']), note: z.string(), at: z.string() })
      .nullable()
      .optional(),
  }),
  /** `blobs`: those that are no longer used. */
  z.object({ kind: z.literal('versions_pruned'), versions: list(versionName), blobs: list(sha256) }),

  /** References of versions that were stored without them, and of stored style sheets. */
  z.object({
    kind: z.literal('references_found'),
    versions: list(versionName.extend({ references: list(mediaReference) })),
    /** Of style sheets, and of other files that name some. */
    sheets: list(z.object({ sheet: sha256, references: list(mediaReference) })).optional(),
    referencesForm: count.optional(),
    /** Set in a log that was created from an index: the style sheets, and the files that they name. */
    blobs: list(blob).optional(),
  }),

  /** Blobs that are no longer used. */
  z.object({ kind: z.literal('blobs_dropped'), blobs: list(sha256) }),
  /**
   * Files that nothing uses any longer. Their objects in a team's bucket are deleted afterwards; if such a file is stored
   * again, its key contains the position of this change.
   */
  z.object({ kind: z.literal('files_dropped'), files: list(sha256) }),
  /** A repair has written these blobs to other locations. */
  z.object({ kind: z.literal('blobs_moved'), blobs: list(blob) }),

  /** A person was erased, whom the change does not name. It contains the new values of all rows that named the person. */
  z.object({
    kind: z.literal('person_erased'),
    versions: list(erasedVersion),
    /** Font sets whose stored archive was rewritten. */
    snapshots: list(z.object({ site: siteId, snapshotId, keptSha256: sha256 })),
    materials: list(z.object({ site: siteId, materialId, sentMetadata: z.string() })),
    /** Callbacks that stored something. `payload` is redacted JSON text. */
    deliveries: list(z.object({ id: callbackId, payload: z.string() })),
    /** The rewritten archives, and the earlier ones, which are no longer used. */
    blobs: list(blob),
    dropped: list(sha256),
  }),

  /** Stored archives from before the library had a log. They may contain credentials, which are redacted today. */
  z.object({ kind: z.literal('archives_unredacted'), archives: list(sha256) }),
  z.object({
    kind: z.literal('archives_redacted'),
    /** The archive that is stored now, and the one that it replaces. */
    rewritten: list(z.object({ archive: sha256, kept: blob })),
    /** Replaced archives that nothing else uses. */
    dropped: list(sha256),
    /** Archives without credentials in the library: clean ones, and replaced ones whose file is deleted. */
    done: list(sha256),
  }),

  /** A completed export. Its pages count as published from this time, unless they already did. */
  z.object({
    kind: z.literal('exported'),
    id: z.string(),
    site: siteId,
    at: z.string(),
    wish: json,
    report: json,
    pages: list(z.object({ materialId, versionId })),
  }),

  z.object({ kind: z.literal('target_saved'), site: siteId, name: targetName, settings: targetSettings }),
  z.object({ kind: z.literal('target_removed'), site: siteId, name: targetName }),
  z.object({ kind: z.literal('released'), release }),
])

export type Change = z.output<typeof change>
/**
 * A change as it will be read from the log: with its members in the schema's order, and without unknown ones. Throws if the
 * log could not be read with it.
 */
export const asRead = <Written extends Change>(written: Written): Written =>
  // Types meet the wire: the schema returns the kind that it was given.
  change.parse(JSON.parse(JSON.stringify(written))) as Written
const anyDelivery = delivery.nullable()
/** The same for the callback of a save. */
export const deliveryAsRead = (written: LoggedDelivery | null): LoggedDelivery | null =>
  anyDelivery.parse(JSON.parse(JSON.stringify(written)))
export type ChangeKind = Change['kind']
export type ChangeOf<Kind extends ChangeKind> = Extract<Change, { kind: Kind }>

/** The format of an entry: the oldest that knows its changes, so that members of a team who lag behind can read it too. */
export const formatOf = (changes: readonly Change[]): number => Math.max(4, ...changes.map(newestIn))

/** Addresses that earlier formats do not take. */
const areOfAnyScript = (addresses: readonly (string | null | undefined)[]): boolean =>
  addresses.some((address) => address && !/^[a-z0-9/-]+$/.test(address))

/** The newest format required by the content of a change. */
function newestIn(each: Change): number {
  if (each.kind === 'version_stored')
    return Math.max(0, ...each.version.warnings.map(({ code }) => remarkFormats[code] ?? 0))
  if (each.kind === 'site_saved') return each.owner === undefined ? 0 : 7
  if (each.kind === 'addresses_decided') {
    const { addresses, tags = [] } = each
    return areOfAnyScript([...addresses.map(({ path }) => path), ...tags.map(({ folder }) => folder)]) ? 7 : 0
  }
  if (each.kind === 'publishing_changed') return each.timeZone === undefined ? 0 : 7
  if (each.kind === 'pages_published') return each.pages.some(({ saved }) => saved !== undefined) ? 7 : 0
  if (each.kind !== 'pages_changed') return 0
  const { path, feedPath, updated, firstSaved, redirectsFrom = [] } = each.settings
  if (areOfAnyScript([path, feedPath]) || updated || firstSaved) return 7
  return redirectsFrom.some((from) => redirectParts(from).query !== null) ? 6 : 0
}

/** The unit of appending: changes that happened together, at one position. Positions are counted from 1, without gaps. */
export const entry = z.object({
  format: z.int(),
  position: z.int().min(1),
  /** The hash of the previous entry, 64 hex digits; zeros in the first entry. */
  previous: z.string().regex(/^[0-9a-f]{64}$/),
  /** In the log of a team: the writer's own identifier, until the writer knows who won the position. */
  writer: z.string().max(100).optional(),
  changes: z.array(change).min(1).max(changesPerEntry).readonly(),
})
export type Entry = Readonly<z.output<typeof entry>>

/** The value of `previous` in the first entry, and the hash of an empty index. */
export const noHash = '0'.repeat(64)
