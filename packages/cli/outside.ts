import type { SnapshotSummary } from '@galley/library'
import type {
  CallbackRecord,
  FailedSave,
  GivenVerdict,
  MaterialReview,
  MaterialSummary,
  OnlinePage,
  SiteSummary,
  VersionSummary,
} from '@galley/library/records'
import { publishText, remarkSentence } from '@galley/library/records'

// The JSON shapes of docs/api.md, section 2, member by member: scripts depend on them, so adding a field to a domain type
// must not change the output.

export const siteJson = (site: SiteSummary) => ({
  id: site.id,
  name: site.name,
  environment: site.environment,
  base_url: site.baseUrl,
  api_key: site.apiKey,
  callback_url: site.callbackUrl,
  public_url: site.publicUrl,
  allowed_domains: site.allowedDomains,
  signature_header: site.signatureHeader,
  publish: publishText(site.publish),
  ...(site.publish.kind === 's3' && {
    s3: {
      endpoint: site.publish.endpoint ?? null,
      region: site.publish.region ?? null,
      credentials: site.bucketKeys === 'changed' ? 'missing' : site.bucketKeys,
      public_check: site.publish.publicCheck !== 'off',
    },
  }),
  unknown_materials: site.unknownMaterials,
  callback_auth: site.callbackAuth,
  secret: site.secret === 'changed' ? 'missing' : site.secret,
  ...(site.allowHttp && { allow_http: true }),
  confirmed: site.isConfirmed,
})

/** What is known of a material besides its summary. */
export interface MaterialFacts {
  /** Null: it was never saved. */
  readonly review: MaterialReview | null
  readonly failed: FailedSave | null
  readonly online: readonly OnlinePage[]
}

export const materialJson = (material: MaterialSummary, { review, failed, online }: MaterialFacts) => ({
  site: material.site,
  material_id: material.materialId,
  title: material.title,
  slug: material.slug,
  versions: material.versions,
  current_version_id: material.currentVersionId,
  saved_at: material.savedAt,
  ...(material.archivedAt !== null && { archived: true }),
  session: material.session && {
    session_id: material.session.sessionId,
    url: material.session.url,
    last_access: material.session.lastAccess,
    kept_until: material.session.keptUntil,
  },
  review: review && { state: review.state, baseline: review.baseline, since: review.since },
  failed_save: failed && { callback: failed.callback, at: failed.at, code: failed.code },
  online: online.map(({ target, since, versionId }) => ({ target, since, version_id: versionId })),
})

/** `rule` says that a rule of the site has decided, and which. */
export const decisionJson = ({ decision, by, at, reason, baseline, rule }: GivenVerdict) => ({
  decision,
  by,
  at,
  reason,
  baseline,
  ...(rule && { rule }),
})

export const versionJson = (version: VersionSummary) => ({
  site: version.site,
  material_id: version.materialId,
  version_id: version.versionId,
  version_cdate: version.versionCdate,
  received_at: version.receivedAt,
  user_email: version.userEmail,
  media_count: version.mediaCount,
  bytes: version.sizeBytes,
  html_sha256: version.htmlSha256,
  archive_sha256: version.archiveSha256,
  kept_sha256: version.keptSha256,
  current: version.current,
  number: version.number,
  verdict: version.verdict && decisionJson(version.verdict),
  note: version.note,
  pinned: version.pinned,
  tags: version.tags,
  warnings: version.warnings.map(remarkSentence),
  public_urls: version.publicUrls,
})

/** Fields that people set, by the names of the outside. */
const setJson = (set: object) =>
  Object.fromEntries(
    Object.entries(set).map(([name, value]: readonly [string, unknown]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )

export const snapshotJson = (snapshot: SnapshotSummary) => {
  const { site, snapshotId, receivedAt, files, cssUrl, archiveSha256, ...set } = snapshot
  return {
    site,
    snapshot_id: snapshotId,
    received_at: receivedAt,
    files,
    css_url: cssUrl,
    archive_sha256: archiveSha256,
    ...setJson(set),
  }
}

export const callbackJson = (callback: CallbackRecord) => ({
  id: callback.id,
  site: callback.site,
  received_at: callback.receivedAt,
  kind: callback.kind,
  material_id: callback.materialId,
  content_url: callback.contentUrl,
  // Scripts know three values; the nearest of them says that no valid signature was seen.
  signature: callback.signature === 'unchecked' ? 'invalid' : callback.signature,
  ...(callback.signature === 'unchecked' && { signature_checked: false }),
  outcome: callback.outcome,
  http_status: callback.httpStatus,
  rc: callback.rc,
  code: callback.code,
  rm: callback.rm,
  version_id: callback.versionId,
  duplicate_of: callback.duplicateOf,
  steps: callback.steps,
})
