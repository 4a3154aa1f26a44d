import type { Sha256 } from '@galley/wire'
import { hashStart } from '@galley/wire'

import { plainName } from './slug.ts'

/**
 * Extensions of pages, and of programs that a web server may run. A file with one of them would have the rights of the whole
 * site, so the bundle keeps it as an inert download.
 */
const running = new Set(
  (
    'htaccess htpasswd html htm xhtml xht shtml shtm sht stm dhtml mhtml mht jhtml rhtml phtml pht phar hta htc htx asp aspx asa asax ascx ashx ' +
    'asmx axd cer cdx cshtml vbhtml soap rem svc master config cfm cfml cfc jsp jspx jspf jspa jsw jsv jws do action ' +
    'pl pm py pyc rb rbw erb lua tcl cgi fcgi sh bash csh ksh ssi var asis'
  ).split(' '),
)

/** Types that web servers name, and that browsers show, play or download without running them as a page. */
const passive = new Set(
  (
    'png apng jpg jpeg gif webp avif bmp ico tif tiff heic mp4 m4v mkv webm ogv mov avi 3gp m3u8 ts mp3 m4a aac ' +
    'wav aiff ogg oga opus flac mid midi mka vtt srt woff woff2 ttf otf eot pdf txt rtf csv tsv ics vcf json wasm css js mjs ' +
    'zip gz tar 7z rar doc docx odt xls xlsx ods ppt pptx odp epub mobi'
  ).split(' '),
)

const extension = /\.(?=[0-9]*[a-z])([a-z0-9]{1,11})$/i
const extensionOf = (name: string): string => extension.exec(name.split('/').at(-1) ?? '')?.[1]?.toLowerCase() ?? ''

/**
 * Whether a web server may run a file with this name, or read it as its own settings. Any extension counts, as in
 * `x.php.png`, in any letter case, and with trailing characters that systems ignore.
 */
export const mayRunOnServer = (name: string): boolean =>
  name.split('/').some((part) => {
    const [start, ...endings] = part.toLowerCase().split('.')
    return start === '' || endings.some((ending) => isRunning(/^[a-z0-9]*/.exec(ending)?.[0] ?? ''))
  })

/** The extension of a file with its dot, or `.bin` in place of one that a server may run. */
export function inertExtension(name: string): string {
  const ending = extensionOf(name)
  return `.${isPlain(ending) ? ending : 'bin'}`
}

const isRunning = (ending: string): boolean => running.has(ending) || ending.startsWith('php')

const isPlain = (ending: string): boolean => ending !== '' && !isRunning(ending)

/** Elements and comments by which browsers recognize a page that a server sends without a type. */
const pageStart =
  /^[\t\n\f\r ]*<(?:!|(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?=[\t\n\f\r />]))/i

/** Whether browsers treat a text of unknown type as a page. */
export const startsAsPage = (text: string): boolean => pageStart.test(text)

/**
 * How to check the content of a file with this name for `bundleFileName`; null if its name decides. `unnamed`: web servers may
 * send it without a type, so browsers guess one.
 */
export function contentToCheck(name: string): 'drawing' | 'xml' | 'unnamed' | null {
  const ending = extensionOf(name)
  if (/^svgz?$/.test(ending)) return 'drawing'
  if (/^(?:xml|gpx|kml|mpd|xslt?|rss|atom|rdf)$/.test(ending)) return 'xml'
  return !isPlain(ending) || passive.has(ending) ? null : 'unnamed'
}

/** Whether the name does not say the type, so that the first bytes may. A name that a server may run says it. */
export function isTypeless(name: string): boolean {
  const ending = extensionOf(name)
  return !mayRunOnServer(name) && (ending === '' || (!passive.has(ending) && contentToCheck(name) === 'unnamed'))
}

const rasterImage = /\.(?:png|jpe?g|webp|gif|avif)$/

/** Whether a file with this name can be the preview picture of a page. */
export const isRasterImage = (path: string): boolean => rasterImage.test(path)

export interface BundleFileName {
  readonly fileName: string
  /** True if the extension was replaced so that no browser or server runs the file. */
  readonly inert: boolean
}

/**
 * The name of a stored file in a bundle: the first 32 hex digits of its hash, as in its public URL, a readable part and one
 * extension. Files with other bytes or another readable part have other names, and all names are safe on every system. The
 * single dot keeps servers from interpreting an inner extension, as in `x.php.png`. `byBytes`: the extension for a name
 * without a type.
 */
export function bundleFileName(sha256: Sha256, name: string, mayRun: boolean, byBytes?: string): BundleFileName {
  const ending = byBytes ?? extensionOf(name)
  const inert = mayRun || !isPlain(ending)
  const stem = plainName(inert || byBytes !== undefined ? name : name.slice(0, -ending.length - 1), 40)
  const readable = stem === '' ? '' : `-${stem}`
  // A compressed drawing is unpacked, because few servers declare the compression.
  const kept = ending === 'svgz' ? 'svg' : ending
  return { fileName: `${hashStart(sha256)}${readable}.${inert ? 'bin' : kept}`, inert }
}

/** Whether a path in a bundle ends in such a name, which changes with the content. */
export const hasBundleFileName = (path: string): boolean => /^(?:media|fonts)\/[0-9a-f]{32}[-.]/.test(path)
