import type { BrokenReason } from '@galley/library/records'
import { isReached, percentDecoded, reachOf, temporaryPrefix } from '@galley/wire'

import { ownUrls } from './own-urls.ts'
import { materialOf } from './page-links.ts'
import type { Reference } from './page-references.ts'
import { isRootRelative, pathOnSite } from './site-path.ts'

/** What references are checked against. */
export interface VerdictScope {
  readonly paths: ReadonlySet<string>
  readonly inertPaths: ReadonlySet<string>
  readonly baseUrl: string | null
  /** Current and earlier public URLs of the library. */
  readonly publicBases: readonly string[]
  /** Materials of the site that are not in the bundle. */
  readonly withheld?: ReadonlySet<string>
  /** Materials of the site that are in the bundle. */
  readonly published?: ReadonlySet<string>
  /** Whether `/x` means the file `x` if no base URL is known, as in a folder that a web server serves. */
  readonly isWebRoot?: boolean
}

/** `named`: the decoded path that the reference names; `path`: the file of the bundle at it. */
export type Verdict =
  | 'elsewhere'
  | { readonly code: 'fine'; readonly path: string; readonly named: string }
  | BrokenReason

/** A placeholder URL for the bundle. URLs drop `..` above their root, so its folders, which no page names, show such links. */
const insideHost = 'https://bundle.invalid'
const inside = `${insideHost}/_around_/_bundle_/`
export const addressOf = (path: string): string => inside + path.split('/').map(encodeURIComponent).join('/')

/** The usual reference from one page to another. Resolving it as a URL, which would change nothing in it, takes ten times as long. */
const plainPath = /^((?:\.\.\/)*)((?:[a-z0-9][a-z0-9.-]*\/)*(?:[a-z0-9][a-z0-9.-]*)?)$/

/** The encoded path that a plain reference names; null for any other, or one that leaves the bundle. */
function plainTarget(ref: string, from: string): string | null {
  const [, above, rest = ''] = plainPath.exec(ref) ?? []
  if (above === undefined || !from.startsWith(inside) || /[?#]/.test(from)) return null
  const folders = from.slice(inside.length).split('/').slice(0, -1)
  const kept = folders.length - above.length / '../'.length
  if (kept < 0) return null
  return [...folders.slice(0, kept), rest].join('/')
}

const localFile = /^(?:[a-z]:[\\/]|\\\\)/i

/** Judges decoded paths of the bundle. */
export function createPathJudge({
  paths,
  inertPaths,
}: Pick<VerdictScope, 'paths' | 'inertPaths'>): (path: string) => Verdict {
  return (named) => {
    if (inertPaths.has(named)) return { code: 'kept_as_download', path: named }
    if (paths.has(named)) return { code: 'fine', path: named, named }
    const index = `${named === '' || named.endsWith('/') ? named : `${named}/`}index.html`
    if (paths.has(index)) return { code: 'fine', path: index, named }
    const name = named.slice(named.lastIndexOf('/') + 1).toLowerCase()
    return name.startsWith(temporaryPrefix) ? { code: 'never_saved' } : { code: 'no_file', path: named }
  }
}

/** Resolves single references. Relative ones are resolved against `from`. */
export function createJudge(
  scope: VerdictScope,
): (reference: Pick<Reference, 'ref' | 'kind'>, from: string) => Verdict {
  const { baseUrl, publicBases, withheld, published, isWebRoot = false } = scope
  const own = ownUrls(publicBases)
  const isSecure = baseUrl?.startsWith('https:') ?? false
  const readers = baseUrl === null ? 'public' : reachOf(new URL(baseUrl).hostname)

  const judgePath = createPathJudge(scope)
  const atPath = (encoded: string): Verdict => judgePath(percentDecoded(encoded) ?? encoded)

  const atRoot = (ref: string): Verdict => {
    const url = new URL(ref, baseUrl ?? inside)
    const path = isWebRoot && baseUrl === null ? url.pathname.slice(1) : pathOnSite(url, baseUrl)
    const found = path === null ? null : atPath(path)
    return found === null || found === 'elsewhere' || found.code === 'no_file' ? { code: 'root_relative' } : found
  }

  const atMaterial = (material: string): Verdict => {
    if (withheld?.has(material) === true) return { code: 'not_published', material }
    // Links to it are rewritten before.
    return { code: published?.has(material) === true ? 'page_not_file' : 'unknown_material', material }
  }

  /** Browsers do not go above the root of a host. If the root is unknown, such a link leaves the bundle. */
  const aboveRoot = (ref: string, from: string): Verdict => {
    const root = baseUrl ?? (isWebRoot ? `${insideHost}/` : null)
    if (root === null || !from.startsWith(inside)) return { code: 'leaves_bundle' }
    const url = new URL(ref, new URL(from.slice(inside.length), root).href)
    const path = baseUrl === null ? url.pathname.slice(1) : pathOnSite(url, baseUrl)
    return path === null ? { code: 'leaves_bundle' } : atPath(path)
  }

  /** A URL with its own host. */
  const onHost = (url: URL, { kind }: Pick<Reference, 'kind'>): Verdict => {
    if (own(url.href).length > 0) return { code: 'not_in_bundle' }
    if (isSecure && kind !== 'link' && url.protocol === 'http:') return { code: 'mixed_content' }
    const onSite = pathOnSite(url, baseUrl)
    if (onSite !== null) return atPath(onSite)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'elsewhere'
    return isReached(reachOf(url.hostname), readers) ? 'elsewhere' : { code: 'private_address', host: url.host }
  }

  return (reference, from) => {
    const { ref, kind } = reference
    if (ref === '') return kind === 'load' ? { code: 'empty' } : 'elsewhere'
    const plain = plainTarget(ref, from)
    if (plain !== null) return atPath(plain)
    if (localFile.test(ref)) return { code: 'one_machine' }
    const material = materialOf(ref)
    if (material !== null) return atMaterial(material.id)
    if (!URL.canParse(ref, from)) return { code: 'not_an_address' }
    if (isRootRelative(ref) && from.startsWith(inside)) return atRoot(ref)
    const url = new URL(ref, from)
    const address = url.origin + url.pathname
    if (address.startsWith(inside)) return atPath(address.slice(inside.length))
    if (url.origin === insideHost) return aboveRoot(ref, from)
    return url.protocol === 'file:' ? { code: 'one_machine' } : onHost(url, reference)
  }
}
