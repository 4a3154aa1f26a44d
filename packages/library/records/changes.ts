import { CausedError, cause, entryNameMaxBytes, entryNameProblem } from '@galley/wire'
import type { CallbackId } from '@galley/wire'
import { z } from 'zod'

import { answer, comment, commentId, settlement } from './comment.ts'
import { exportReport, exportRequest } from './export-record.ts'
import type { RecordKind } from './fields.ts'
import { recordKeys, settable } from './fields.ts'
import {
  count,
  idText,
  jsonObject,
  list,
  longText,
  materialId,
  moment,
  sha256,
  shortList,
  siteId,
  snapshotId,
  text,
  title,
  versionId,
} from './logged-values.ts'
import { isPagePath, isTagFolder } from './page-path.ts'
import { fileCounts, releaseLinks } from './release.ts'
import { remarkCodes, remarksMax } from './remark.ts'
import { readSiteInput, siteInputOf } from './site-input.ts'
import type { Site } from './site.ts'
import { targetNameForm, targetSettings } from './target.ts'

// The log of a library: everything that happens to what it shares, as a closed union of values. Changes contain codes and
// facts, no sentences. Sizes are in bytes, durations in milliseconds, times in ISO 8601 UTC. The meaning of a released kind
// never changes. A new kind, a new code or a new required member raises `logFormat`, and so does a wider range of a value:
// every computer that reads a format has to skip the same entries.

/** The format of entries. Builds before 0.1.0 had another name for theirs, so neither reads those of the other. */
export const logFormat = 1

/** The maximum number of changes in an entry: the row ids of an entry are counted from its position. */
export const changesPerEntry = 1000

// The log may come from another member of a team, or from a foreign backup: these are the ranges that all other code assumes.

const callbackId = idText.transform((id): CallbackId => id)
/** Written into pages unchanged, before a path, so it contains no character with a meaning in HTML. */
const publicBase = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[A-Za-z0-9\-._~:/%[\]]+$/)
  .refine(URL.canParse)
/** The name of a file in an archive, below its folder. */
const fileName = z.string().refine((name) => entryNameProblem(`folder/${name}`) === null)

/** Whether a site has only settings that a person can enter. A URL that parses to another one was never entered. */
function isUsableSite(site: Site): boolean {
  const read = readSiteInput(siteInputOf(site))
  return (
    read.ok &&
    (['baseUrl', 'callbackUrl', 'publicUrl', 'downloadOrigins'] as const).every(
      (field) => String(read.value[field]) === String(site[field]),
    )
  )
}

const site = z
  .object({
    id: siteId,
    name: text,
    environment: z.enum(['dev', 'prod']),
    baseUrl: text,
    apiKey: text,
    callbackUrl: text,
    publicUrl: text.nullable(),
    allowedDomains: list(text),
    downloadOrigins: list(text),
    signatureHeader: text,
    publish: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('listener') }),
      z.object({ kind: z.literal('folder'), directory: text }),
      z.object({
        kind: z.literal('s3'),
        bucket: text,
        prefix: text,
        endpoint: text.optional(),
        region: text.optional(),
        publicCheck: z.literal('off').optional(),
      }),
    ]),
    unknownMaterials: z.enum(['refuse', 'accept']),
    callbackAuth: z.enum(['none', 'basic', 'bearer']),
    maxContentBytes: count,
    requestTimeoutMs: count,
    downloadTimeoutMs: count,
  })
  .refine(isUsableSite)

const blob = z.object({
  sha256,
  sizeBytes: count,
  /** The location of its bytes: a range of this pack. Null: a file with its own hash as the name. */
  pack: z.object({ sha256, offset: count }).nullable(),
})
/** A blob that is on disk and may be referenced. */
export type NewBlob = Readonly<z.output<typeof blob>>

const namedBlob = z.object({ name: fileName, sha256, sizeBytes: count })

/** A media URL of this library in a page or state: the first 32 hex digits of the hash, and the file's name. */
const mediaReference = z.object({
  hashStart: z.string().regex(/^[0-9a-f]{32}$/),
  name: z.string().max(entryNameMaxBytes),
})
export type MediaReference = Readonly<z.output<typeof mediaReference>>

const remarks = shortList(z.object({ code: z.enum(remarkCodes), name: z.string().max(1000) }), remarksMax)

const version = z.object({
  site: siteId,
  materialId,
  versionId,
  versionCdate: text.nullable(),
  receivedAt: moment,
  userEmail: text.nullable(),
  html: sha256,
  state: sha256,
  metadata: longText.nullable(),
  archiveSha256: sha256,
  keptSha256: sha256,
  sizeBytes: count,
  publicBase,
  warnings: remarks,
  media: list(namedBlob),
  /** Files of earlier saves whose public URL is in the page or state. Null: not read yet. */
  references: list(mediaReference).nullable(),
  /** Of `references`, see `media-references.ts`. References of an earlier form are read again. */
  referencesForm: count.optional(),
  /** Heading of the page. It is the material's title until a person sets one. */
  title: title.nullable(),
})
/** A version whose blobs are on disk. */
export type NewVersion = Readonly<z.output<typeof version>>

const snapshot = z.object({
  site: siteId,
  snapshotId,
  receivedAt: moment,
  css: sha256,
  tree: sha256.nullable(),
  answer: sha256.nullable(),
  archiveSha256: sha256,
  keptSha256: sha256,
  publicBase,
  warnings: remarks,
  files: list(namedBlob),
})
/** A font set whose blobs are on disk. */
export type NewSnapshot = Readonly<z.output<typeof snapshot>>

/** The callback that stored a save, as the callback log shows it. `payload` is redacted JSON text. */
const delivery = z.object({
  id: callbackId,
  receivedAt: moment,
  materialId: idText.nullable(),
  contentUrl: idText.nullable(),
  payload: longText.nullable(),
  headers: list(z.object({ name: text, value: longText.nullable() })),
  bodyBytes: count.nullable(),
  rm: text,
  steps: list(z.object({ name: text, ms: z.number().min(0).max(1e12) })),
  durationMs: z.number().min(0).max(1e12).nullable(),
})
export type LoggedDelivery = Readonly<z.output<typeof delivery>>

const versionName = z.object({ site: siteId, materialId, versionId })
export type VersionName = Readonly<z.output<typeof versionName>>

const erasedVersion = versionName.extend({
  /** The person saved this version, so its e-mail address is removed. */
  isEditor: z.boolean(),
  /** Replaces its metadata. */
  metadata: longText.nullable(),
  /** The archive to store: rewritten without the person, or unchanged. */
  keptSha256: sha256,
})

/** `tag`: its comparable name. */
const tagFolder = z.object({ tag: text, folder: z.string().refine(isTagFolder) })

const targetName = z.string().regex(targetNameForm)

/** A completed release. */
const release = z.object({
  id: idText,
  site: siteId,
  target: targetName,
  at: moment,
  record: sha256,
  rollbackOf: idText.nullable(),
  by: z.enum(['person', 'schedule']),
  counts: fileCounts,
  /** Empty for a release that cannot be published again. */
  pages: list(z.object({ materialId, versionId })),
  links: releaseLinks.nullable(),
})

/** New values of the same fields of these records. */
const fieldsSet = <Kind extends RecordKind, Key extends z.ZodType>(record: Kind, key: Key) =>
  z.object({
    kind: z.literal('fields_set'),
    record: z.literal(record),
    site: siteId,
    of: list(key),
    set: settable(record),
  })

/** One change. */
export const change = z.discriminatedUnion('kind', [
  /** The first change of a log. Repeated when a copy becomes a separate library, and when the beginning of a log is erased. */
  z.object({ kind: z.literal('library_named'), library: text, at: moment }),

  z.object({
    kind: z.literal('site_saved'),
    site,
    /** Random, made with the site: what its targets are known by. A site that comes back after a removal has another one. */
    owner: z.uuid(),
  }),
  z.object({ kind: z.literal('site_removed'), site: siteId, at: moment }),
  /** The first addresses of materials, and the first folders of tags. What already has one keeps it. */
  z.object({
    kind: z.literal('addresses_decided'),
    site: siteId,
    addresses: list(z.object({ materialId, path: z.string().refine(isPagePath) })),
    tags: list(tagFolder),
  }),
  /** Materials in a published bundle, and the time of publication. A material that already has such a time keeps it. */
  z.object({
    kind: z.literal('pages_published'),
    site: siteId,
    /** `saved`: the moment of the published version, of which the first is kept. */
    pages: list(z.object({ materialId, at: moment, saved: moment.optional() })),
  }),

  z.object({
    kind: z.literal('material_opened'),
    site: siteId,
    materialId,
    /** Null: unchanged. */
    title: title.nullable(),
    slug: text.nullable(),
    sessionId: text,
    fingerprint: text,
    url: text,
    at: moment,
    /** The caller's own metadata as JSON text. */
    sentMetadata: jsonObject,
    callbackUrl: text,
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
  /** What people set by hand. */
  z.discriminatedUnion('record', [
    fieldsSet('version', recordKeys.version),
    fieldsSet('material', recordKeys.material),
    fieldsSet('page', recordKeys.page),
    z.object({
      kind: z.literal('fields_set'),
      record: z.literal('site'),
      /** The empty name: all sites. */
      site: siteId.or(z.literal('')),
      set: settable('site'),
      /** The files of its theme. */
      blobs: list(blob).optional(),
    }),
    fieldsSet('fontSet', recordKeys.fontSet),
  ]),
  /** `blobs`: those that are no longer used. */
  z.object({ kind: z.literal('versions_pruned'), versions: list(versionName), blobs: list(sha256) }),

  /** References of versions that were stored without them, and of stored style sheets. */
  z.object({
    kind: z.literal('references_found'),
    versions: list(versionName.extend({ references: list(mediaReference) })),
    /** Of style sheets, and of other files that name some. */
    sheets: list(z.object({ sheet: sha256, references: list(mediaReference) })).optional(),
    referencesForm: count.optional(),
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
    materials: list(z.object({ site: siteId, materialId, sentMetadata: jsonObject })),
    /** Callbacks that stored something. `payload` is redacted JSON text. */
    deliveries: list(z.object({ id: callbackId, payload: longText })),
    /** The decision about a version that was made at this moment. */
    decisions: list(versionName.extend({ at: moment, by: z.string().min(1).max(200), reason: text })),
    /** Comments and answers without the name of who wrote them, and threads without that of who resolved them. */
    comments: z.object({ authors: list(commentId), resolvers: list(commentId) }).optional(),
    /** The rewritten archives, and the earlier ones, which are no longer used. */
    blobs: list(blob),
    dropped: list(sha256),
  }),

  /** A person has said something about a place of a version, and others have answered. */
  z.object({ kind: z.literal('comment_added'), comment }),
  z.object({ kind: z.literal('comment_answered'), answer }),
  /** A thread was resolved, or opened again. */
  settlement.extend({ kind: z.literal('comment_settled') }),

  /** A completed export. Its pages count as published from this time, unless they already did. */
  z.object({
    kind: z.literal('exported'),
    id: idText,
    site: siteId,
    at: moment,
    request: exportRequest,
    report: exportReport,
    pages: list(z.object({ materialId, versionId })),
  }),

  z.object({ kind: z.literal('target_saved'), site: siteId, name: targetName, settings: targetSettings }),
  z.object({ kind: z.literal('target_removed'), site: siteId, name: targetName }),
  z.object({ kind: z.literal('released'), release }),
])

export type Change = z.output<typeof change>

/** The ranges of values, for rows that another computer has made of changes. */
export const ranges = {
  callbackId,
  publicBase,
  site,
  blob,
  namedBlob,
  mediaReference,
  version,
  snapshot,
  delivery,
  tagFolder,
  targetName,
  release,
  comment,
}

/** A value is out of the range that the log takes, so nothing was written. */
class UnloggableError extends CausedError {
  readonly code = 'value_out_of_range'
  constructor({ issues: [issue] }: z.ZodError) {
    super(cause('value_out_of_range', { name: issue?.path.join('.') ?? '' }))
  }
}

/** The value as it will be read from the log: with its members in the schema's order, and without unknown ones. */
function readBack<Value>(schema: z.ZodType<Value>, written: unknown): Value {
  const read = schema.safeParse(JSON.parse(JSON.stringify(written)))
  if (read.success) return read.data
  throw new UnloggableError(read.error)
}
/** A change as it will be read from the log. Throws UnloggableError: no member of a team would apply it. */
export const asRead = <Written extends Change>(written: Written): Written =>
  // Types meet the wire: the schema returns the kind that it was given.
  readBack(change, written) as Written
const anyDelivery = delivery.nullable()
/** The same for the callback of a save. */
export const deliveryAsRead = (written: LoggedDelivery | null): LoggedDelivery | null => readBack(anyDelivery, written)
export type ChangeKind = Change['kind']
export type ChangeOf<Kind extends ChangeKind> = Extract<Change, { kind: Kind }>
export type FieldsSet<Kind extends RecordKind> = Extract<ChangeOf<'fields_set'>, { record: Kind }>

const entryChanges = z.array(change).min(1).max(changesPerEntry).readonly()

/** The unit of appending: changes that happened together, at one position. Positions are counted from 1, without gaps. */
export interface Entry {
  readonly format: number
  readonly position: number
  /** The hash of the previous entry, 64 hex digits; zeros in the first entry. */
  readonly previous: string
  /** In the log of a team: the writer's own identifier, until the writer knows who won the position. */
  readonly writer: string
  /** Empty if the entry is skipped. */
  readonly changes: readonly Change[]
  /** Why every computer skips the entry: the path of the first value that this format does not have; '' for all of it. */
  readonly skipped?: string
}

/** An entry whose beginning was read. What does not parse as a whole is skipped as a whole. */
export function readEntry(head: Omit<Entry, 'changes' | 'skipped'>, value: unknown): Entry {
  const read = entryChanges.safeParse((Object(value) as { readonly changes?: unknown }).changes)
  if (read.success) return { ...head, changes: read.data }
  return { ...head, changes: [], skipped: read.error.issues[0]?.path.join('.') ?? '' }
}

/** The value of `previous` in the first entry, and the hash of an empty index. */
export const noHash = '0'.repeat(64)

/** The members of a change that erases a person where nothing names the person. */
export const nothingErased: Omit<ChangeOf<'person_erased'>, 'kind'> = {
  versions: [],
  snapshots: [],
  materials: [],
  deliveries: [],
  decisions: [],
  blobs: [],
  dropped: [],
}
