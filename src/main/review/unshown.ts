import type { Reference } from '@galley/sites/bundle'
import { pageContents, sheetReferences } from '@galley/sites/bundle'
import { mediaType } from '@galley/wire'
import type { StartTag } from '@galley/wire'

import type { Unshown, UnshownReason } from '../../ipc/review-window.ts'
import { unshownReasons } from '../../ipc/review-window.ts'

/** The names of each reason that are passed on. */
const namesAtMost = 100

const frames = new Set(['iframe[src]', 'frame[src]', 'embed[src]', 'object[data]'])
/** Content types that a frame shows in review. Others are downloads for readers, or need a plugin. */
const framed = /^(?:image|audio|video)\/|^text\/plain|^application\/json/
/** Attributes that load something only in some elements, and words in others. */
const loadsIn: Readonly<Record<string, RegExp>> = {
  data: /^object$/,
  background: /^(?:body|table|thead|tbody|tfoot|tr|td|th)$/,
}
const isAbsolute = /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i
const loadsNothing = /^(?:$|#|(?:about|blob|javascript|mailto|tel):)/i

const scriptType = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script[\d.]*)$/i
const handler =
  /^on(?:abort|animation|before|blur|change|click|context|dbl|drag|drop|error|focus|hashchange|input|key|load|message|mouse|page|play|pointer|popstate|resize|scroll|submit|toggle|touch|transition|unload|wheel)/

const runsScript = ({ element, attributes }: StartTag): boolean =>
  (element === 'script' && scriptType.test((attributes.get('type') ?? '').trim())) ||
  [...attributes.keys()].some((name) => handler.test(name))

/** The texts of a page whose references have been replaced by the addresses of a review. */
export interface ReviewedTexts {
  readonly html: string
  readonly sheets: readonly string[]
  /** `galley-review://<key>` */
  readonly origin: string
  /** The name of the file at each address. */
  readonly names: ReadonlyMap<string, string>
  /** References to files that are not stored. */
  readonly missing: readonly string[]
  /** Whether an address is one of those. */
  readonly isMissing: (ref: string) => boolean
}

/** What of a page a review does not show, and whether the page has scripts. */
export function unshownIn(texts: ReviewedTexts): {
  readonly unshown: readonly Unshown[]
  readonly hasScripts: boolean
} {
  const { html, sheets, origin, names, missing, isMissing } = texts
  const found = new Map<UnshownReason, Set<string>>([['missing', new Set(missing)]])
  const add = (why: UnshownReason, name: string): void => {
    const known = found.get(why) ?? new Set()
    found.set(why, known.add(name))
  }
  /** The address of a file of this page, without query and fragment; null for others. */
  const ownAddress = (ref: string): string | null =>
    ref.startsWith(`${origin}/`) ? (ref.split(/[?#]/, 1)[0] ?? null) : null

  let hasScripts = false
  const unseen = new Set<string>()
  const contents = pageContents(html, (tag) => {
    hasScripts ||= runsScript(tag)
    const { element, attributes } = tag
    if (element === 'link' && !/\bstylesheet\b/i.test(attributes.get('rel') ?? ''))
      unseen.add((attributes.get('href') ?? '').trim())
  })
  const base = isAbsolute.test(contents.base ?? '') ? contents.base : null
  const loads = contents.references.filter(isLoaded)

  const judge = ({ ref, element, further = [] }: Reference, from: string | null): void => {
    if (loadsNothing.test(ref) || isMissing(ref)) return
    const own = ownAddress(ref)
    const isFrame = [element, ...further.map((place) => place.element)].some((place) => frames.has(place))
    if (own !== null) {
      const name = names.get(own)
      if (isFrame && name !== undefined && !framed.test(mediaType(name))) add('kind', name)
    } else if (/^data:/i.test(ref)) {
      if (isFrame) add('kind', ref.slice(0, ref.search(/[,;]|$/)))
    } else if (isAbsolute.test(ref)) add('elsewhere', ref)
    else if (from !== null && URL.canParse(ref, from)) add('elsewhere', new URL(ref, from).href)
    else add('missing', ref)
  }
  for (const reference of loads) if (!unseen.has(reference.ref)) judge(reference, base)
  for (const sheet of sheets) for (const reference of sheetReferences(sheet)) judge(reference, null)

  const shown = new Set(loads.map(({ ref }) => ref))
  for (const { ref, kind } of contents.references)
    if (kind === 'lazy' && !shown.has(ref) && !/^data:/i.test(ref) && !isMissing(ref))
      add('script', names.get(ownAddress(ref) ?? '') ?? ref)
  const unshown = unshownReasons.flatMap((why): readonly Unshown[] => {
    const of = [...(found.get(why) ?? [])]
    return of.length === 0 ? [] : [{ why, count: of.length, names: of.slice(0, namesAtMost) }]
  })
  return { unshown, hasScripts }
}

/** Whether a reference loads something to see. Custom elements show nothing without scripts. */
function isLoaded({ kind, element: place }: Reference): boolean {
  const [element = '', attribute = ''] = place.split(/[[\]]/)
  if (kind !== 'load' || element === 'script' || element.includes('-')) return false
  return loadsIn[attribute]?.test(element) ?? true
}
