const types: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  apng: 'image/apng',
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css; charset=utf-8',
  eot: 'application/vnd.ms-fontobject',
  flac: 'audio/flac',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json; charset=utf-8',
  lottie: 'application/octet-stream',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  opus: 'audio/ogg',
  otf: 'font/otf',
  pdf: 'application/pdf',
  png: 'image/png',
  srt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  tiff: 'image/tiff',
  ttf: 'font/ttf',
  txt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
}

const pageTypes: Readonly<Record<string, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
}

/** The content type of a file on a published site, whose pages and scripts are Galley's own. */
export const pageMediaType = (path: string): string =>
  (path.startsWith('media/') ? undefined : pageTypes[/\.([a-z0-9]+)$/.exec(path)?.[1] ?? '']) ?? mediaType(path)

/** How many bytes of a file say what it is. */
export const typeBytes = 16

/** The first bytes of pictures, films and fonts. Texts are never guessed: one that begins like a page could run. */
const signatures: readonly (readonly [extension: string, start: RegExp])[] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[^]{4}WEBP/],
  ['avif', /^[^]{4}ftypavi[fs]/],
  ['mp4', /^[^]{4}ftyp(?:iso[m2-6]|mp4[12]|avc1|M4V )/],
  ['woff', /^wOFF/],
  ['woff2', /^wOF2/],
]

/** The extension of a picture, film or font by its first bytes; null if they are of nothing else than these. */
export function extensionByBytes(start: Uint8Array): string | null {
  const text = String.fromCharCode(...start.subarray(0, typeBytes))
  return signatures.find(([, signature]) => signature.test(text))?.[0] ?? null
}

/** The content type of a stored file by its name, otherwise by its first bytes, which are read only then. */
export async function storedMediaType(name: string, readStart: () => Promise<Uint8Array>): Promise<string> {
  const byName = mediaType(name)
  return byName === unknownType ? (types[extensionByBytes(await readStart()) ?? ''] ?? unknownType) : byName
}

const unknownType = 'application/octet-stream'

/** The content type of a stored file. Unknown types, and HTML in particular, are served as downloads. */
export const mediaType = (name: string): string =>
  types[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? unknownType

/** Types of files that name others, from which browsers or scripts load them. */
const referringExtensions = ['css', 'htm', 'html', 'json', 'svg', 'webmanifest', 'xhtml', 'xml'] as const

const referring = new RegExp(`\\.(?:${referringExtensions.join('|')})$`, 'i')

/** Whether a file with this name may name others. */
export const mayReferToFiles = (name: string): boolean => referring.test(name)

/** Whether a file with this name is served as a style sheet. */
export const isStyleSheet = (name: string): boolean => /\.css$/i.test(name)

/**
 * What caches may do with a public file: keep one whose address changes with its content, and else ask each time whether it
 * has changed.
 */
export const cacheControl = {
  immutable: 'public, max-age=31536000, immutable',
  changing: 'public, max-age=0, must-revalidate',
} as const
