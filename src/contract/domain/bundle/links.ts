import { percentDecoded } from '../../protocol/public-url.ts'
import { dummyNames } from '../../text/references/finder.ts'
import { rewriteHtml } from '../../text/references/html.ts'
import { temporaryName, temporaryPrefix } from '../../text/references/temporary-name.ts'
import type { BrokenReason } from './broken-reason.ts'
import { ownUrls } from './own-urls.ts'
import { cssReferences, pageReferences } from './page-references.ts'

/** A reference of a bundle that leads to nothing in it. */
export interface BrokenLink {
  /** The file that holds the reference. */
  readonly page: string
  /** As it stands there, decoded. */
  readonly ref: string
  readonly reason: BrokenReason
}

export interface LinkReport {
  /** References that should lead into the bundle. */
  readonly checked: number
  readonly broken: readonly BrokenLink[]
}

/** What references are held against. */
export interface LinkScope {
  readonly paths: ReadonlySet<string>
  readonly inertPaths: ReadonlySet<string>
  readonly baseUrl: string | null
  /** Public addresses of the library, past ones too. */
  readonly publicBases: readonly string[]
}

type Verdict = 'elsewhere' | 'fine' | BrokenReason

const notInBundle: BrokenReason = { code: 'not_in_bundle' }

/** The address the bundle is thought to have. Its folders are what `..` may not leave: URLs know no way above the root. */
const inside = 'https://bundle.invalid/a/b/'

/** A reference that leads to no file is known by that file's name, or, where it could not lead to any, as it stands there. */
const referenceTo = (name: string): string =>
  name.toLowerCase().includes(temporaryPrefix) ? name : temporaryName(name)

export function createLinkCheck({ paths, inertPaths, baseUrl, publicBases }: LinkScope) {
  const own = ownUrls(publicBases)
  const unknownFiles = dummyNames(new Map())

  const atPath = (encoded: string): Verdict => {
    const path = percentDecoded(encoded) ?? encoded
    if (inertPaths.has(path)) return { code: 'kept_as_download', path }
    if (paths.has(path)) return 'fine'
    const folder = path === '' || path.endsWith('/') ? path : `${path}/`
    return paths.has(`${folder}index.html`) ? 'fine' : { code: 'no_file', path }
  }

  /** `from` is the path of the file that holds the reference. */
  const judge = (ref: string, from: string): Verdict => {
    if (ref === '' || ref.startsWith('#')) return 'elsewhere'
    if (!URL.canParse(ref, inside + from)) return { code: 'not_an_address' }
    const url = new URL(ref, inside + from)
    const address = url.origin + url.pathname
    if (address.startsWith(inside)) return atPath(address.slice(inside.length))
    if (url.origin === new URL(inside).origin) return { code: 'leaves_bundle' }
    if (url.protocol === 'file:') return { code: 'one_machine' }
    if (baseUrl !== null && address.startsWith(baseUrl)) return atPath(address.slice(baseUrl.length))
    return own(url.href).length > 0 ? notInBundle : 'elsewhere'
  }

  const report = (page: string, refs: readonly string[], leftovers: readonly BrokenLink[]): LinkReport => {
    const judged = refs
      .map((ref) => ({ ref, verdict: judge(ref, page) }))
      .filter(({ verdict }) => verdict !== 'elsewhere')
    const broken = judged.flatMap(({ ref, verdict }) =>
      typeof verdict === 'string' ? [] : [{ page, ref, reason: verdict }],
    )
    const further = leftovers.filter(({ ref }) => !broken.some((link) => link.ref.includes(ref)))
    return { checked: judged.length + further.length, broken: [...broken, ...further] }
  }

  return {
    /** Also looks into JSON and other scripts, where only names of our own can be told from other text. */
    page(page: string, html: string): LinkReport {
      const served = rewriteHtml(html, own)
      const unknown = rewriteHtml(html, unknownFiles).missing
      return report(page, pageReferences(html), [
        ...served.missing.map((ref) => ({ page, ref, reason: notInBundle })),
        ...served.skippedScripts.map((ref) => ({ page, ref, reason: { code: 'named_in_script' } as const })),
        ...unknown.map((name) => ({ page, ref: referenceTo(name), reason: { code: 'never_saved' } as const })),
      ])
    },
    styleSheet: (path: string, css: string): LinkReport => report(path, cssReferences(css), []),
  }
}
