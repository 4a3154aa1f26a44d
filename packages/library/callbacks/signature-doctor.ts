import type { MaterialId } from '@galley/wire'
import { percentDecoded } from '@galley/wire'

import type { SignatureTrace } from '../db/callback/callback-request.ts'
import type { Site } from '../records/site.ts'
import { hashOf } from '../secrets/signature-trace.ts'
import { sign } from '../secrets/signature.ts'
import type { SiteSecrets } from '../secrets/site-secrets.ts'
import type { Diagnosis, SignatureFinding, UrlChange } from '../views/callbacks.ts'

/** The signature data of a callback. `trace` null: it had no signature. */
export interface SignatureData {
  readonly site: Site
  readonly materialId: MaterialId
  readonly contentUrl: string
  readonly trace: SignatureTrace | null
}

/**
 * Finds the secret and the input of a signature by computing likely combinations and comparing hashes. The result contains
 * neither a secret nor a signature.
 */
export async function diagnose(
  { site, materialId, contentUrl, trace }: SignatureData,
  sites: readonly Site[],
  secrets: SiteSecrets,
): Promise<Diagnosis> {
  if (trace === null) return { findings: [{ code: 'no_signature' }], wouldPass: false }
  const form = formFindings(trace)
  const own = await secrets.secret(site.id)
  const fits = (id: string, url: string, secret: string): boolean => hashOf(sign(id, url, secret)) === trace.hash

  const findings: SignatureFinding[] = []
  let wouldPass = false
  if (!trace.form.isHex) return { findings: form, wouldPass }
  if (!own.ok) findings.push({ code: 'secret_unavailable', site: site.id })
  else if (fits(materialId, contentUrl, own.value)) {
    findings.push({ code: 'matches' })
    wouldPass = !trace.form.isSeveral && !trace.form.hasUpperCase
  } else {
    const changed = urlVariants(contentUrl).find(({ url }) => fits(materialId, url, own.value))
    if (changed) findings.push({ code: 'changed_url', how: changed.how })
    const otherId = materialVariants(materialId).find(({ id }) => fits(id, contentUrl, own.value))
    if (otherId) findings.push({ code: 'changed_material', how: otherId.how })
    if (fits(materialId, site.callbackUrl, own.value)) findings.push({ code: 'open_signature' })
  }
  for (const other of findings.length > 0 && own.ok ? [] : sites) {
    if (other.id === site.id) continue
    const secret = await secrets.secret(other.id)
    if (!secret.ok) continue
    const urls = [contentUrl, ...urlVariants(contentUrl).map(({ url }) => url)]
    if (urls.some((url) => fits(materialId, url, secret.value))) {
      findings.push({ code: 'other_site_secret', site: other.id })
    }
  }
  if (findings.length === 0) findings.push({ code: 'wrong_secret' })
  return { findings: [...findings, ...form], wouldPass }
}

function formFindings({ form }: SignatureTrace): readonly SignatureFinding[] {
  const found: SignatureFinding[] = []
  if (form.isSeveral) found.push({ code: 'several' })
  if (!form.isHex) found.push({ code: 'not_a_signature', length: form.length })
  if (form.hasUpperCase && form.isHex) found.push({ code: 'upper_case' })
  if (form.hasBlanks) found.push({ code: 'blanks' })
  return found
}

interface UrlVariant {
  readonly how: UrlChange
  readonly url: string
}

/** The ways in which proxies, CMSs and copying change a URL between signing and receiving. */
function urlVariants(text: string): readonly UrlVariant[] {
  const variants: UrlVariant[] = [
    { how: 'trailing_slash', url: text.endsWith('/') ? text.slice(0, -1) : `${text}/` },
    {
      how: 'scheme',
      url: text.startsWith('https:') ? text.replace(/^https:/, 'http:') : text.replace(/^http:/, 'https:'),
    },
    { how: 'query', url: text.replace(/\?[^#]*/, '') },
    { how: 'fragment', url: text.replace(/#.*$/, '') },
    { how: 'download_query', url: text.replaceAll(/([?&])(api_key|material_id)=[^&#]*&?/g, '$1').replace(/[?&]$/, '') },
    { how: 'decoded', url: decoded(text) },
    { how: 'encoded', url: encodeURI(decoded(text).toWellFormed()) },
    { how: 'case', url: text.toLowerCase() },
    { how: 'port', url: text.replace(/^(https?:\/\/[^/:?#]+):(?:80|443)(?=[/?#]|$)/, '$1') },
    { how: 'port', url: text.replace(/^(https:\/\/[^/:?#]+)(?=[/?#]|$)/, '$1:443') },
    { how: 'blanks', url: text.trim() },
  ]
  return variants.filter(({ url }) => url !== text)
}

const materialVariants = (id: string) =>
  (
    [
      { how: 'blanks', id: id.trim() },
      { how: 'case', id: id.toLowerCase() },
      { how: 'empty', id: '' },
    ] as const
  ).filter((variant) => variant.id !== id)

/** Text with a single percent sign stays: it cannot have been decoded. */
const decoded = (text: string): string => percentDecoded(text) ?? text
