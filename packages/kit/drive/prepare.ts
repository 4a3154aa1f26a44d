import { font, picture } from '../archives/sample-files.ts'
import type { Entry } from '../archives/zip.ts'
import { zip } from '../archives/zip.ts'
import { signatureOf } from '../protocol/signature.ts'
import type { ArchiveServer, Offer } from '../service/archive-server.ts'
import type { DownloadHandler } from '../service/download-handlers.ts'

/** What the session of a material adds to its callbacks. */
export interface Session {
  /** Without the service's own keys. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The Authorization header, or null (contract, Authentication 5). */
  readonly authorization: string | null
}

/** Dependencies for preparing a delivery. */
export interface DeliveryContext {
  readonly baseUrl: string
  readonly secret: string
  readonly service: ArchiveServer
  /** The session of the first of these materials that has one. */
  readonly sessionOf: (...materials: readonly string[]) => Session
  /** A word that is unique across all runs. */
  readonly fresh: () => string
}

/** One callback, which can be sent any number of times. */
export interface PreparedCallback {
  readonly event: 'article_saved' | 'site_fonts_updated'
  readonly material: string
  readonly contentUrl: string
  readonly payload: Readonly<Record<string, unknown>>
  /** The valid signature for this material and URL. */
  readonly signature: string
  readonly offer: Offer
  readonly versionId: string
  /** By file name below `vms_media/` or `vms_fonts/`. */
  readonly files: ReadonlyMap<string, Buffer>
  /** The editor state, or the font tree of the payload. */
  readonly stateText: string
}

type Files = Readonly<Record<string, Buffer>>

/** Overrides for a delivery; all defaults are valid. */
interface Parts {
  readonly material?: string
  readonly files?: Files
  readonly versionId?: string
  readonly metadata?: unknown
  /** Modifies the entries, or the bytes, of a valid archive. */
  readonly entries?: (sound: readonly Entry[]) => readonly Entry[]
  readonly archive?: (sound: Buffer) => Buffer
  readonly handler?: DownloadHandler
  /** The archive's kind in the URL path. */
  readonly kind?: 'media' | 'fonts' | 'other'
  /** Changes the URL that is sent and signed. */
  readonly address?: (contentUrl: string) => string
  /** Payload members to replace; `undefined` removes one. */
  readonly payload?: Readonly<Record<string, unknown>>
}

export interface SaveParts extends Parts {
  readonly html?: string | Buffer
  /** The exact text of `vms_json.json`. */
  readonly state?: string | Buffer
  readonly versionCdate?: string
}

export interface FontsParts extends Parts {
  readonly css?: string
  /** The tree in the payload; null omits it. */
  readonly tree?: unknown
  /** The exact text of `vms_fonts.json`. */
  readonly storedTree?: string
}

/** Prepares a save, by default of a page with one picture. */
export function prepareSave(context: DeliveryContext, material: string, parts: SaveParts): PreparedCallback {
  const word = context.fresh()
  const files = parts.files ?? { [`hero-${word}.png`]: picture(word) }
  const state = parts.state ?? stateOf(Object.keys(files), word)
  const html = parts.html ?? pageOf(Object.keys(files), word)
  const versionId = parts.versionId ?? `conformance-${word}`
  const metadata = {
    ...versionMetadata(context, [parts.material ?? material, material], versionId),
    ...(parts.versionCdate && { version_cdate: parts.versionCdate }),
  }
  const sound: readonly Entry[] = [
    { name: 'vms_html.html', data: html },
    { name: 'vms_json.json', data: state },
    ...Object.entries(files).map(([name, data]) => ({ name: `vms_media/${name}`, data, isStored: true })),
    { name: 'metadata_json.json', data: JSON.stringify(metadata) },
  ]
  return prepared(context, 'article_saved', { material, kind: 'media', metadata, ...parts, versionId }, sound, {
    files,
    stateText: state.toString('utf8'),
    payload: { debug: false },
  })
}

/** Prepares a font set, by default of one family in two formats. */
export function prepareFonts(context: DeliveryContext, material: string, parts: FontsParts): PreparedCallback {
  const word = context.fresh()
  const files = parts.files ?? { 'Conformance.woff2': font(word), 'Conformance.woff': font(`${word} woff`) }
  const tree = parts.tree === undefined ? treeOf(Object.keys(files)) : parts.tree
  const css = parts.css ?? `@font-face{font-family:Conformance;src:${Object.keys(files).map(cssSource).join(',')}}`
  const versionId = parts.versionId ?? `conformance-${word}`
  const sound: readonly Entry[] = [
    ...Object.entries(files).map(([name, data]) => ({ name: `vms_fonts/${name}`, data, isStored: true })),
    { name: 'vms_fonts.css', data: css },
    { name: 'vms_fonts.json', data: parts.storedTree ?? JSON.stringify(tree) },
  ]
  const metadata = versionMetadata(context, [parts.material ?? material, material], versionId)
  return prepared(context, 'site_fonts_updated', { material, kind: 'fonts', metadata, ...parts, versionId }, sound, {
    files,
    stateText: JSON.stringify(tree),
    payload: tree === null ? {} : { fonts: tree },
  })
}

function prepared(
  context: DeliveryContext,
  event: PreparedCallback['event'],
  parts: Parts & { readonly material: string; readonly kind: 'media' | 'fonts' | 'other'; readonly versionId: string },
  sound: readonly Entry[],
  made: { readonly files: Files; readonly stateText: string; readonly payload: Readonly<Record<string, unknown>> },
): PreparedCallback {
  const { material, kind, versionId, metadata } = parts
  const archive = zip(parts.entries?.(sound) ?? sound)
  const offer = context.service.offer(kind, versionId, parts.archive?.(archive) ?? archive, parts.handler)
  const plainUrl = context.baseUrl + offer.path
  const contentUrl = parts.address?.(plainUrl) ?? plainUrl
  return {
    event,
    material,
    contentUrl,
    payload: { event, material_id: material, content_url: contentUrl, metadata, ...made.payload, ...parts.payload },
    signature: signatureOf(context.secret, material, contentUrl),
    offer,
    versionId,
    files: new Map(Object.entries(made.files)),
    stateText: made.stateText,
  }
}

/** The metadata keys that the service sets in every callback (contract, metadata). */
export const serviceKeys: readonly string[] = ['version_id', 'version_cdate', 'user_email', 'user_ip']

/** The metadata of the session, and the keys that the service sets (contract, metadata). */
const versionMetadata = (
  context: DeliveryContext,
  materials: readonly string[],
  versionId: string,
): Record<string, unknown> => {
  const { metadata } = context.sessionOf(...materials)
  const { user_email: email } = metadata
  return {
    ...metadata,
    version_id: versionId,
    version_cdate: new Date().toISOString().replace('Z', '+00:00'),
    // Some backends take saves of their own users only.
    user_email: typeof email === 'string' && email !== '' ? email : 'conformance@example.com',
    user_ip: '192.0.2.1',
  }
}

/** The `assets` of a state, every file with its temporary name. */
export const assetsOf = (names: readonly string[]): Record<string, { readonly clientUrl: string }> =>
  Object.fromEntries(names.map((name) => [name, { clientUrl: `dummy-${name}` }]))

/** Includes members unknown to every backend, since the contract defines only `assets`. */
const stateOf = (names: readonly string[], word: string): string =>
  JSON.stringify({
    title: `Conformance ${word}`,
    blocks: [{ kind: 'text', text: word, conformance: null }],
    assets: assetsOf(names),
    conformance: { [word]: [1, 'two'] },
  })

const pageOf = (names: readonly string[], word: string): string =>
  `<article><h1>Conformance ${word}</h1>${names.map((name) => `<img src="dummy-${name}" alt="">`).join('')}</article>`

const cssSource = (name: string): string => `url("dummy-${name}") format("${name.split('.').at(-1)}")`

/** The tree structure that client libraries read; the contract does not define it. */
const treeOf = (names: readonly string[]): Record<string, unknown> => ({
  css: { id: 'vms_fonts.css', clientUrl: 'dummy-fonts.css' },
  list: [
    {
      family: 'Conformance',
      variants: [
        {
          files: Object.fromEntries(
            names.map((name) => [name.split('.').at(-1), { id: name, clientUrl: `dummy-${name}` }]),
          ),
        },
      ],
    },
  ],
})
