import type { Entry } from '../archives/zip.ts'
import { zip } from '../archives/zip.ts'
import { font, picture } from '../archives/sample-files.ts'
import type { ArchiveServer, Offer } from '../service/archive-server.ts'
import type { Serving } from '../service/serving.ts'
import { signatureOf } from '../protocol/signature.ts'

/** What a delivery is made with. */
export interface Desk {
  readonly baseUrl: string
  readonly secret: string
  readonly service: ArchiveServer
  /** Metadata that every callback carries, such as the credentials the backend asked for. */
  readonly sessionMetadata: Readonly<Record<string, unknown>>
  /** A word nobody has used yet in any run. */
  readonly fresh: () => string
}

/** One callback, ready to be sent any number of times. */
export interface Prepared {
  readonly event: 'article_saved' | 'site_fonts_updated'
  readonly material: string
  readonly contentUrl: string
  readonly payload: Readonly<Record<string, unknown>>
  /** The right signature for this material and address. */
  readonly signature: string
  readonly offer: Offer
  readonly versionId: string
  /** By name inside `vms_media/` or `vms_fonts/`. */
  readonly files: ReadonlyMap<string, Buffer>
  /** The editor state, or the font tree of the payload. */
  readonly stateText: string
}

type Files = Readonly<Record<string, Buffer>>

/** What any delivery may vary; everything has a sound default. */
interface Parts {
  readonly material?: string
  readonly files?: Files
  readonly versionId?: string
  readonly metadata?: unknown
  /** Changes the entries, or the finished bytes, of an archive that was sound until then. */
  readonly entries?: (sound: readonly Entry[]) => readonly Entry[]
  readonly archive?: (sound: Buffer) => Buffer
  readonly serving?: Serving
  /** Where the archive lies in the path. */
  readonly kind?: 'media' | 'fonts' | 'other'
  /** Changes the address that is told and signed. */
  readonly address?: (contentUrl: string) => string
  /** Members of the payload to change; `undefined` leaves one out. */
  readonly payload?: Readonly<Record<string, unknown>>
}

export interface SaveParts extends Parts {
  readonly html?: string | Buffer
  /** `vms_json.json`, as it is written. */
  readonly state?: string | Buffer
  readonly versionCdate?: string
}

export interface FontsParts extends Parts {
  readonly css?: string
  /** The tree in the payload; null leaves it out. */
  readonly tree?: unknown
  /** `vms_fonts.json`, as it is written. */
  readonly storedTree?: string
}

/** A save of a page with one picture, unless told otherwise. */
export function prepareSave(desk: Desk, material: string, parts: SaveParts): Prepared {
  const word = desk.fresh()
  const files = parts.files ?? { [`hero-${word}.png`]: picture(word) }
  const state = parts.state ?? stateOf(Object.keys(files), word)
  const html = parts.html ?? pageOf(Object.keys(files), word)
  const versionId = parts.versionId ?? `conformance-${word}`
  const metadata = {
    ...versionMetadata(desk, versionId),
    ...(parts.versionCdate && { version_cdate: parts.versionCdate }),
  }
  const sound: readonly Entry[] = [
    { name: 'vms_html.html', data: html },
    { name: 'vms_json.json', data: state },
    ...Object.entries(files).map(([name, data]) => ({ name: `vms_media/${name}`, data, isStored: true })),
    { name: 'metadata_json.json', data: JSON.stringify(metadata) },
  ]
  return prepared(desk, 'article_saved', { material, kind: 'media', metadata, ...parts, versionId }, sound, {
    files,
    stateText: state.toString('utf8'),
    payload: { debug: false },
  })
}

/** A font set of one family in two formats, unless told otherwise. */
export function prepareFonts(desk: Desk, material: string, parts: FontsParts): Prepared {
  const word = desk.fresh()
  const files = parts.files ?? { 'Conformance.woff2': font(word), 'Conformance.woff': font(`${word} woff`) }
  const tree = parts.tree === undefined ? treeOf(Object.keys(files)) : parts.tree
  const css = parts.css ?? `@font-face{font-family:Conformance;src:${Object.keys(files).map(cssSource).join(',')}}`
  const versionId = parts.versionId ?? `conformance-${word}`
  const sound: readonly Entry[] = [
    ...Object.entries(files).map(([name, data]) => ({ name: `vms_fonts/${name}`, data, isStored: true })),
    { name: 'vms_fonts.css', data: css },
    { name: 'vms_fonts.json', data: parts.storedTree ?? JSON.stringify(tree) },
  ]
  const metadata = versionMetadata(desk, versionId)
  return prepared(desk, 'site_fonts_updated', { material, kind: 'fonts', metadata, ...parts, versionId }, sound, {
    files,
    stateText: JSON.stringify(tree),
    payload: tree === null ? {} : { fonts: tree },
  })
}

function prepared(
  desk: Desk,
  event: Prepared['event'],
  parts: Parts & { readonly material: string; readonly kind: 'media' | 'fonts' | 'other'; readonly versionId: string },
  sound: readonly Entry[],
  made: { readonly files: Files; readonly stateText: string; readonly payload: Readonly<Record<string, unknown>> },
): Prepared {
  const { material, kind, versionId, metadata } = parts
  const archive = zip(parts.entries?.(sound) ?? sound)
  const offer = desk.service.offer(kind, versionId, parts.archive?.(archive) ?? archive, parts.serving)
  const plainUrl = desk.baseUrl + offer.path
  const contentUrl = parts.address?.(plainUrl) ?? plainUrl
  return {
    event,
    material,
    contentUrl,
    payload: { event, material_id: material, content_url: contentUrl, metadata, ...made.payload, ...parts.payload },
    signature: signatureOf(desk.secret, material, contentUrl),
    offer,
    versionId,
    files: new Map(Object.entries(made.files)),
    stateText: made.stateText,
  }
}

/** The keys the service sets itself (contract, metadata). */
const versionMetadata = (desk: Desk, versionId: string): Record<string, unknown> => ({
  ...desk.sessionMetadata,
  version_id: versionId,
  version_cdate: new Date().toISOString().replace('Z', '+00:00'),
  user_email: 'conformance@example.com',
  user_ip: '192.0.2.1',
})

/** The `assets` of a state: every file with its temporary name. */
export const assetsOf = (names: readonly string[]): Record<string, { readonly clientUrl: string }> =>
  Object.fromEntries(names.map((name) => [name, { clientUrl: `dummy-${name}` }]))

/** With members that no backend has heard of, since the contract shows none but `assets`. */
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

/** The shape of font trees that client libraries read; the contract shows none. */
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
