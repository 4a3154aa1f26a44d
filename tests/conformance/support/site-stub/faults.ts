/** A mistake of a backend, which the stub makes on request. */
export type Fault =
  | 'accepts-everything'
  | 'refuses-everything'
  | 'breaks-down'
  | 'verifies-nothing'
  | 'verifies-half'
  | 'verifies-the-callback-url'
  | 'finds-signatures-anywhere'
  | 'downloads-first'
  | 'asks-for-nothing'
  | 'downloads-by-post'
  | 'signs-the-whole-address'
  | 'downloads-without-key'
  | 'downloads-without-material'
  | 'downloads-without-signature'
  | 'rebuilds-queries'
  | 'follows-redirects'
  | 'fetches-anywhere'
  | 'never-tries-again'
  | 'tries-for-ever'
  | 'needs-a-length'
  | 'tells-addresses'
  | 'tells-the-secret'
  | 'sends-the-secret'
  | 'echoes-debug'
  | 'stringly-rc'
  | 'no-rm'
  | 'state-as-text'
  | 'no-state'
  | 'html-answers'
  | 'says-no-reason'
  | 'bare-errors'
  | 'leaves-dummies'
  | 'empties-urls'
  | 'relative-urls'
  | 'unencoded-urls'
  | 'replaces-in-text'
  | 'reparses-state'
  | 'lists-for-objects'
  | 'sorts-keys'
  | 'lists-image-types'
  | 'flattens-folders'
  | 'keeps-old-urls'
  | 'makes-up-assets'
  | 'fills-what-is-gone'
  | 'stores-by-name'
  | 'forgets-on-failure'
  | 'skips-what-is-damaged'
  | 'ignores-checksums'
  | 'ignores-entry-names'
  | 'joins-names-to-paths'
  | 'ignores-archive-layout'
  | 'follows-links'
  | 'takes-pages-for-optional'
  | 'has-no-ledger'
  | 'remembers-failures'
  | 'takes-any-version'
  | 'shares-one-answer'
  | 'ignores-events'
  | 'needs-metadata'
  | 'asks-for-no-credentials'
  | 'credentials-are-enough'
  | 'serves-bare-files'
  | 'serves-to-nobody'
  | 'takes-any-request'
  | 'says-rc-1-on-refusal'
  | 'answers-all-alike'
  | 'drops-unknown-keys'
  | 'writes-where-names-lead'
  | 'reads-latin-1'
  | 'gives-up-after-a-second'
  | 'cuts-at-a-megabyte'
  | 'names-an-unknown-host'
  | 'cuts-media'
  | 'cuts-one-picture'
  | 'optimises-pictures'
  | 'answers-without-end'
  | 'serves-without-end'
  | 'page-keeps-dummies'
  | 'publishes-later'
  | 'fonts-keep-dummies'
  | 'fonts-need-a-tree'
  | 'fonts-css-untouched'
  | 'fonts-on-another-host'
  | 'fonts-lose-the-tree'

/** The configuration of a stub: its service, the shared secrets, and its mistakes. */
export interface StubOptions {
  readonly baseUrl: string
  readonly secret: string
  readonly apiKey: string
  /** The Authorization header it asks for, or null. */
  readonly authorization: string | null
  readonly faults: readonly Fault[]
}

/** Whether the stub makes one of these mistakes. */
export type Has = (...faults: readonly Fault[]) => boolean

export const faultsOf =
  ({ faults: told }: Pick<StubOptions, 'faults'>): Has =>
  (...faults) =>
    faults.some((fault) => told.includes(fault))
