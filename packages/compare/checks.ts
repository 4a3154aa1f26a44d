import { cssBlocks, fontFaces, namedFamilies, shorthandFamilies } from '@galley/wire'

import type { BlockPlace, Page } from './blocks.ts'
import { placeOf } from './blocks.ts'
import { fileNameOf } from './identity.ts'
import type { PageNode } from './page-tree.ts'
import { attribute, following, isElement, isText } from './page-tree.ts'

/**
 * What may be wrong with a page for its readers. `broken`: a link or file that does not exist. `alt`: a picture without alternative text.
 * `heading_order`: a heading skips a level. `empty_link`: a link without words. `large_picture`: a file of more than a
 * megabyte. `outside`: an address of another site. `missing_face`: a font family that no font set of the site has.
 * `contrast`: a text that is hard to tell from its background, which only a browser can say.
 */
type CheckKind =
  | 'broken'
  | 'alt'
  | 'heading_order'
  | 'empty_link'
  | 'large_picture'
  | 'outside'
  | 'missing_face'
  | 'contrast'

export interface PageCheck {
  readonly kind: CheckKind
  /** The address, file name, heading, font family or text. */
  readonly what: string
  readonly at: BlockPlace
}

/** What the page itself does not say. */
export interface CheckFacts {
  /** The size of the stored file at an address, in bytes; null: none is stored. */
  readonly sizeOf: (address: string) => number | null
  /** Whether an absolute address is one of this site. */
  readonly isOwn: (address: string) => boolean
  /** The font families of the site, in lower case; null: not known. */
  readonly families: ReadonlySet<string> | null
}

const pictureMaxBytes = 1_000_000

/** Attributes that load a file, or lead somewhere. */
const loads = ['src', 'poster', 'data'] as const
const isAbsolute = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i
/** Addresses without a place to check: other schemes, and scripts. */
const isOther = /^[a-z][a-z0-9+.-]*:(?!\/\/)/i
const levels: ReadonlyMap<string, number> = new Map(
  ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name, at) => [name, at + 1]),
)

/** What a person should look at in a page, in its order. */
export function checksOf({ blocks }: Page, facts: CheckFacts): readonly PageCheck[] {
  const root = blocks[0]?.element
  return root === undefined ? [] : new Checker(root, facts).checks()
}

/** Those that the page before did not have: of several equal ones, as many as were added. */
export function newChecks(before: readonly PageCheck[], after: readonly PageCheck[]): readonly boolean[] {
  const known = new Map<string, number>()
  for (const check of before) known.set(keyOf(check), (known.get(keyOf(check)) ?? 0) + 1)
  return after.map((check) => {
    const left = known.get(keyOf(check)) ?? 0
    known.set(keyOf(check), left - 1)
    return left <= 0
  })
}

const keyOf = ({ kind, what }: PageCheck): string => `${kind} ${what}`

class Checker {
  readonly #root: PageNode
  readonly #facts: CheckFacts
  readonly #found: PageCheck[] = []
  readonly #ids = new Set<string>()
  readonly #families = new Map<string, PageNode>()
  readonly #own = new Set<string>()
  #level = 0

  constructor(root: PageNode, facts: CheckFacts) {
    this.#root = root
    this.#facts = facts
  }

  checks(): readonly PageCheck[] {
    const elements = [...elementsIn(this.#root)]
    for (const element of elements)
      for (const name of ['id', 'name'] as const) this.#ids.add(attribute(element, name) ?? '')
    for (const element of elements) this.#element(element)
    const { families } = this.#facts
    if (families !== null)
      for (const [family, element] of this.#families)
        if (!families.has(family) && !this.#own.has(family)) this.#add('missing_face', family, element)
    return this.#found
  }

  #add(kind: CheckKind, what: string, element: PageNode): void {
    this.#found.push({ kind, what, at: placeOf({ element, run: null }) })
  }

  #element(element: PageNode): void {
    const { name } = element
    const level = levels.get(name)
    if (level !== undefined) {
      if (this.#level > 0 && level > this.#level + 1) this.#add('heading_order', textOf(element), element)
      this.#level = level
    }
    if (name === 'img') this.#picture(element)
    if (name === 'a' || name === 'area') this.#link(element)
    else if (name !== 'base')
      for (const load of loads) {
        const address = attribute(element, load)
        if (address !== null) this.#address(address.trim(), element, true)
      }
    this.#fonts(element)
  }

  #picture(image: PageNode): void {
    const address = (attribute(image, 'src') ?? '').trim()
    const isHidden = attribute(image, 'role') === 'presentation' || attribute(image, 'aria-hidden') === 'true'
    if (attribute(image, 'alt') === null && !isHidden) this.#add('alt', fileNameOf(address), image)
    if ((this.#facts.sizeOf(address) ?? 0) > pictureMaxBytes) this.#add('large_picture', fileNameOf(address), image)
  }

  #link(link: PageNode): void {
    const address = attribute(link, 'href')?.trim()
    if (address === undefined) return
    if (!saysSomething(link)) this.#add('empty_link', address, link)
    this.#address(address, link, false)
  }

  /** `isLoaded`: a file that the page shows. A link without a host leads to a page of the site, which is not known here. */
  #address(address: string, element: PageNode, isLoaded: boolean): void {
    if (address.startsWith('#')) {
      if (address !== '#' && address !== '#top' && !this.#ids.has(decoded(address.slice(1))))
        this.#add('broken', address, element)
    } else if (isOther.test(address) || address === '' || this.#facts.sizeOf(address) !== null) return
    else if (!isAbsolute.test(address)) {
      if (isLoaded) this.#add('broken', address, element)
    } else if (!this.#facts.isOwn(address)) this.#add('outside', address, element)
    else if (isLoaded) this.#add('broken', address, element)
  }

  #fonts(element: PageNode): void {
    const css = element.name === 'style' ? textOf(element) : attribute(element, 'style')
    if (css === null) return
    for (const { family } of fontFaces(css)) this.#own.add(family.toLowerCase())
    for (const { prelude, declarations } of cssBlocks(css))
      for (const { name, value } of declarations) {
        if (/@font-face$/i.test(prelude) || (name !== 'font-family' && name !== 'font')) continue
        for (const family of namedFamilies(name === 'font' ? shorthandFamilies(value) : value)) {
          const known = family.toLowerCase()
          if (!this.#families.has(known)) this.#families.set(known, element)
        }
      }
  }
}

function* elementsIn(root: PageNode): Generator<PageNode> {
  for (let node: PageNode | null = root; node !== null; node = following(node, root, true))
    if (isElement(node)) yield node
}

function textOf(root: PageNode): string {
  const parts: string[] = []
  for (let node: PageNode | null = root; node !== null; node = following(node, root, true))
    if (isText(node)) parts.push(node.text)
  return root.name === 'style' ? parts.join('') : parts.join('').replace(/\s+/g, ' ').trim()
}

/** Whether a link has words: its own, those of a picture in it, or those for people who do not see it. */
function saysSomething(link: PageNode): boolean {
  for (const element of elementsIn(link))
    if (
      ['alt', 'aria-label', 'aria-labelledby', 'title'].some((name) => (attribute(element, name) ?? '').trim() !== '')
    )
      return true
  return textOf(link) !== ''
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
