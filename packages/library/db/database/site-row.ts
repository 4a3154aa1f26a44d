import type { SiteId } from '@galley/wire'

import type { PublishTarget, Site } from '../../records/site.ts'
import { stringList } from './string-list.ts'

/** The columns with the settings of a site. */
export interface SiteRow {
  id: SiteId
  name: string
  environment: Site['environment']
  base_url: string
  api_key: string
  callback_url: string
  public_url: string | null
  allowed_domains: string
  download_origins: string
  signature_header: string
  publish: string
  unknown_materials: Site['unknownMaterials']
  callback_auth: Site['callbackAuth']
  max_content_bytes: number
  request_timeout_ms: number
  download_timeout_ms: number
}

export function fromSiteRow(row: SiteRow): Site {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    baseUrl: row.base_url,
    apiKey: row.api_key,
    callbackUrl: row.callback_url,
    publicUrl: row.public_url,
    allowedDomains: stringList(row.allowed_domains),
    downloadOrigins: stringList(row.download_origins),
    signatureHeader: row.signature_header,
    publish: JSON.parse(row.publish) as PublishTarget,
    unknownMaterials: row.unknown_materials,
    callbackAuth: row.callback_auth,
    maxContentBytes: row.max_content_bytes,
    requestTimeoutMs: row.request_timeout_ms,
    downloadTimeoutMs: row.download_timeout_ms,
  }
}

export function toSiteRow(site: Site): SiteRow {
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
