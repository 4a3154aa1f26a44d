import type { Database } from 'better-sqlite3'

import type { SiteId } from '../../contract/ids.ts'
import type { PublishTarget, Site } from '../../contract/site.ts'

/** Random names of the secrets a site has in the keychain; null where none was ever stored. */
export interface SecretMarks {
  readonly secret: string | null
  readonly callbackAuth: string | null
}

interface SiteRow {
  id: string
  name: string
  environment: string
  base_url: string
  api_key: string
  callback_url: string
  public_url: string | null
  allowed_domains: string
  download_origins: string
  signature_header: string
  publish: string
  unknown_materials: string
  callback_auth: string
  max_content_bytes: number
  request_timeout_ms: number
  download_timeout_ms: number
}

/** The integration profiles of a library. */
export function createSites(db: Database) {
  const put = db.prepare<SiteRow>(`
    INSERT INTO site (id, name, environment, base_url, api_key, callback_url, public_url, allowed_domains,
      download_origins, signature_header, publish, unknown_materials, callback_auth, max_content_bytes,
      request_timeout_ms, download_timeout_ms)
    VALUES (@id, @name, @environment, @base_url, @api_key, @callback_url, @public_url, @allowed_domains,
      @download_origins, @signature_header, @publish, @unknown_materials, @callback_auth, @max_content_bytes,
      @request_timeout_ms, @download_timeout_ms)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, environment = excluded.environment,
      base_url = excluded.base_url, api_key = excluded.api_key, callback_url = excluded.callback_url,
      public_url = excluded.public_url, allowed_domains = excluded.allowed_domains,
      download_origins = excluded.download_origins, signature_header = excluded.signature_header,
      publish = excluded.publish, unknown_materials = excluded.unknown_materials,
      callback_auth = excluded.callback_auth, max_content_bytes = excluded.max_content_bytes,
      request_timeout_ms = excluded.request_timeout_ms, download_timeout_ms = excluded.download_timeout_ms,
      removed_at = NULL`)
  const one = db.prepare<[string], SiteRow>('SELECT * FROM site WHERE id = ? AND removed_at IS NULL')
  const all = db.prepare<[], SiteRow>('SELECT * FROM site WHERE removed_at IS NULL ORDER BY id')
  const remove = db.prepare<[string, string]>(
    `UPDATE site SET removed_at = ?, secret_mark = NULL, callback_auth_mark = NULL WHERE id = ? AND removed_at IS NULL`,
  )
  const marks = db.prepare<[string], SecretMarks>(
    'SELECT secret_mark AS secret, callback_auth_mark AS callbackAuth FROM site WHERE id = ?',
  )
  const markSecret = db.prepare<[string | null, string]>('UPDATE site SET secret_mark = ? WHERE id = ?')
  const markCallbackAuth = db.prepare<[string | null, string]>('UPDATE site SET callback_auth_mark = ? WHERE id = ?')
  const forget = db.prepare('UPDATE site SET secret_mark = NULL, callback_auth_mark = NULL')

  return {
    /** Creates a site or replaces its settings; one that was removed comes back with its materials. */
    put: (site: Site): void => void put.run(toRow(site)),
    find: (id: string): Site | null => mapped(one.get(id)),
    list: (): readonly Site[] => all.all().map(fromRow),
    /** False when there is no such site. Its materials and versions stay. */
    remove: (id: SiteId, now: string): boolean => remove.run(now, id).changes === 1,
    marks: (id: SiteId): SecretMarks => marks.get(id) ?? { secret: null, callbackAuth: null },
    markSecret: (id: SiteId, mark: string | null): void => void markSecret.run(mark, id),
    /** Of every site, as if none had ever been stored. */
    forgetSecrets: (): void => void forget.run(),
    markCallbackAuth: (id: SiteId, mark: string | null): void => void markCallbackAuth.run(mark, id),
  }
}

const mapped = (row: SiteRow | undefined): Site | null => (row ? fromRow(row) : null)

const strings = (json: string): readonly string[] => JSON.parse(json) as string[]

function fromRow(row: SiteRow): Site {
  return {
    id: row.id as SiteId,
    name: row.name,
    environment: row.environment as Site['environment'],
    baseUrl: row.base_url,
    apiKey: row.api_key,
    callbackUrl: row.callback_url,
    publicUrl: row.public_url,
    allowedDomains: strings(row.allowed_domains),
    downloadOrigins: strings(row.download_origins),
    signatureHeader: row.signature_header,
    publish: JSON.parse(row.publish) as PublishTarget,
    unknownMaterials: row.unknown_materials as Site['unknownMaterials'],
    callbackAuth: row.callback_auth as Site['callbackAuth'],
    maxContentBytes: row.max_content_bytes,
    requestTimeoutMs: row.request_timeout_ms,
    downloadTimeoutMs: row.download_timeout_ms,
  }
}

function toRow(site: Site): SiteRow {
  return {
    id: site.id,
    name: site.name,
    environment: site.environment,
    base_url: site.baseUrl,
    api_key: site.apiKey,
    callback_url: site.callbackUrl,
    public_url: site.publicUrl,
    allowed_domains: JSON.stringify(site.allowedDomains),
    download_origins: JSON.stringify(site.downloadOrigins),
    signature_header: site.signatureHeader,
    publish: JSON.stringify(site.publish),
    unknown_materials: site.unknownMaterials,
    callback_auth: site.callbackAuth,
    max_content_bytes: site.maxContentBytes,
    request_timeout_ms: site.requestTimeoutMs,
    download_timeout_ms: site.downloadTimeoutMs,
  }
}
