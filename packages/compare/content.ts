import { inLine, unread } from '@galley/wire'
import { html as markup } from 'parse5'

import type { HashOf } from './identity.ts'
import { fileNameOf, identitiesOf, identityOf, identityOfCss, withUrls } from './identity.ts'
import type { PageNode } from './page-tree.ts'
import { attribute, following, isElement, isText } from './page-tree.ts'

/** How a file is part of a page: its picture, a picture behind its content, what it plays. */
export const mediumKinds = ['picture', 'background', 'video', 'audio'] as const
export type MediumKind = (typeof mediumKinds)[number]

/** A file that a page shows or plays. */
export interface PageFile {
  /** Its hash; null where it is not a stored file. */
  readonly file: string | null
  /** Its file name. */
  readonly name: string
  /** Its alternative text; null: it has none, not even an empty one. */
  readonly alt: string | null
}

export interface Picture extends PageFile {
  /** The hash of its file, or its address where that is not known; with those of its other sizes. */
  readonly identity: string
}

/** Another file than that of an `img`. */
export interface Medium extends Picture {
  readonly kind: MediumKind
}

export interface Detail {
  /** The attribute; with its element before it, as in `a.href`, if that is inside of the block. */
  readonly name: string
  /** What is compared: addresses of the same file are the same. */
  readonly identity: string
  readonly shown: string
}

/** What a reader sees of a block, and what its markup says besides. */
export interface Content {
  /** With collapsed white space; a line feed for each line break. */
  readonly text: string
  readonly pictures: readonly Picture[]
  /** Its background pictures, and what an embed plays. */
  readonly media: readonly Medium[]
  /** Attributes and the addresses of links, in the order of the page. */
  readonly attributes: readonly Detail[]
  /** Element, class and style attribute of it and of what is in it. */
  readonly style: string
  /** The same without its pictures and links: those that came or went restyle nothing. */
  readonly textStyle: string
  /** All of it, with the places in the text. */
  readonly placedStyle: string
}

export const isInline = (name: string): boolean => inLine.has(name)

export const embeds: ReadonlySet<string> = new Set(['iframe', 'video', 'audio', 'object', 'embed', 'canvas', 'portal'])

const addresses: ReadonlySet<string> = new Set(['src', 'href', 'poster', 'data', 'data-src', 'xlink:href', 'action'])
const players: ReadonlySet<string> = new Set(['video', 'audio'])
/** Elements whose files are compared as files, and the attributes that name them. */
const ofFile: ReadonlySet<string> = new Set(['img', 'source', ...players])
const fileAttributes: ReadonlySet<string> = new Set(['src', 'data-src', 'srcset', 'data-srcset', 'poster'])

/** Collects text as it is shown: white space collapsed, except in `pre`. */
class Text {
  readonly #parts: string[] = []
  #length = 0
  #gap = ''
  add(chars: string, isKept: boolean): void {
    if (isKept) return this.#put(chars)
    const words = chars.replace(/[ \t\n\f\r]+/g, ' ')
    if (words.startsWith(' ')) this.#gap ||= ' '
    const inner = words.replace(/^ | $/g, '')
    if (inner === '') return
    this.#put(inner)
    if (words.endsWith(' ')) this.#gap = ' '
  }
  endLine(): void {
    this.#gap = '\n'
  }
  #put(chars: string): void {
    const gap = this.#length === 0 ? '' : this.#gap
    this.#parts.push(gap, chars)
    this.#length += gap.length + chars.length
    this.#gap = ''
  }
  get length(): number {
    return this.#length
  }
  read(): string {
    return this.#parts.join('').trimEnd()
  }
}

/** Elements that `HeadReader` reads. */
export const ofHead: ReadonlySet<string> = new Set(['base', 'link', 'meta'])

export const isUnread = (name: string): boolean => unread.has(name) && !embeds.has(name)

/** The markup of a drawing or another part of a page as one string. */
export function markupOf(root: PageNode, hashOf: HashOf): string {
  const parts: string[] = []
  for (let node: PageNode | null = root; node !== null; node = following(node, root, true)) {
    if (isText(node)) parts.push(node.text.trim())
    else if (isElement(node))
      parts.push(
        `<${node.name} ${node.attributes.map(({ name, value }) => `${name}=${identityOfCss(value, hashOf)}`).join(' ')}>`,
      )
  }
  return parts.join('')
}

const byName = (one: Detail, other: Detail): number => (one.name < other.name ? -1 : 1)

/** The attributes of an element but those of its style, and those that say which file it shows. */
export function detailsOf(element: PageNode, prefix: string, hashOf: HashOf): readonly Detail[] {
  if (element.attributes.length === 0) return []
  const hasFile = ofFile.has(element.name)
  return element.attributes
    .filter(({ name }) => name !== 'class' && name !== 'style' && !(hasFile && fileAttributes.has(name)))
    .map(({ name, value }) => ({
      name: prefix + name,
      identity: addresses.has(name)
        ? identityOf(value, hashOf)
        : name === 'srcset'
          ? identitiesOf(value, hashOf)
          : value.replace(/\s+/g, ' ').trim(),
      shown: value,
    }))
    .toSorted(byName)
}

/** Elements that are compared by themselves. */
const ownParts: ReadonlySet<string> = new Set(['img', 'picture', 'source', 'a'])

export const isBackground = (property: string): boolean => property === 'background' || property === 'background-image'

/** Element, classes in any order, and style attribute, without the addresses of its background pictures. */
export function styleOf(element: PageNode, hashOf: HashOf): string {
  const classes = attribute(element, 'class')
  const style = attribute(element, 'style')
  const names = classes === null ? '' : classes.split(/\s+/).filter(Boolean).toSorted().join(' ')
  const identity = (address: string, property: string): string =>
    isBackground(property) ? '' : identityOf(address, hashOf)
  return `<${element.name}|${names}|${style === null ? '' : withUrls(style, identity).replace(/;$/, '')}>`
}

const mediumOf = (kind: MediumKind, addresses: readonly string[], hashOf: HashOf): Medium => ({
  kind,
  identity: addresses.map((address) => identityOf(address, hashOf)).join(' '),
  file: hashOf(addresses[0] ?? ''),
  name: fileNameOf(addresses[0] ?? ''),
  alt: null,
})

/** The background pictures of an element, and what it plays if it does. */
export function mediaOf(element: PageNode, hashOf: HashOf): readonly Medium[] {
  const media: Medium[] = []
  const style = attribute(element, 'style')
  if (style?.includes('url(') === true)
    withUrls(style, (address, property) => {
      if (isBackground(property)) media.push(mediumOf('background', [address], hashOf))
      return ''
    })
  if (element.name !== 'video' && element.name !== 'audio') return media
  const sources = [attribute(element, 'src') ?? '']
  for (let child = element.first; child !== null; child = child.next)
    if (isElement(child) && child.name === 'source') sources.push(attribute(child, 'src') ?? '')
  const played = sources.filter(Boolean)
  if (played.length > 0) media.push(mediumOf(element.name, played, hashOf))
  const poster = attribute(element, 'poster')
  return poster === null ? media : [...media, mediumOf('picture', [poster], hashOf)]
}

/** The content of an element, or of some neighbours in one, `from` to `to`. */
export class ContentReader {
  readonly #text = new Text()
  readonly #pictures: Picture[] = []
  readonly #media: Medium[] = []
  readonly #attributes: Detail[] = []
  readonly #styles: { readonly style: string; readonly place: number; readonly isText: boolean }[] = []
  readonly #hashOf: HashOf
  /** Other sizes of the next picture. */
  #sources = ''
  /** The `pre` that is open. */
  #pre: PageNode | null = null

  constructor(hashOf: HashOf) {
    this.#hashOf = hashOf
  }

  /** Reads an element with what is in it, or a text. `isOwn`: the element is the block. */
  read(root: PageNode, isOwn: boolean): void {
    if (isOwn) {
      this.#attributes.push(...detailsOf(root, '', this.#hashOf))
      this.#style(root)
      if (root.name === 'pre') this.#pre = root
    }
    let next = isOwn ? root.first : root
    if (isOwn && next === null) return
    while (next !== null) {
      const node: PageNode = next
      const isEntered = this.#node(node)
      next = following(node, root, isEntered)
      if (this.#pre !== null && next !== null && next.depth <= this.#pre.depth) this.#pre = null
    }
  }

  /** Whether its children are read. */
  #node(node: PageNode): boolean {
    const { name } = node
    if (isText(node)) this.#text.add(node.text, this.#pre !== null)
    if (!isElement(node) || isUnread(name) || ofHead.has(name)) return false
    if (name === 'br') {
      this.#text.endLine()
      return false
    }
    if (name === 'img') this.#picture(node)
    if (name === 'source') this.#sources += ` ${identitiesOf(attribute(node, 'srcset') ?? '', this.#hashOf)}`
    if (name === 'svg') {
      this.#pictures.push({ identity: markupOf(node, this.#hashOf), file: null, name: 'svg', alt: null })
      return false
    }
    if (node.namespace === markup.NS.HTML && !isInline(name)) this.#text.endLine()
    if (name === 'pre') this.#pre = node
    this.#attributes.push(...detailsOf(node, `${name}.`, this.#hashOf))
    this.#style(node)
    return !embeds.has(name)
  }

  #picture(image: PageNode): void {
    const read = (name: string): string => attribute(image, name) ?? ''
    const address = read('src') || read('data-src')
    const sizes = identitiesOf(read('srcset') || read('data-srcset'), this.#hashOf)
    this.#pictures.push({
      identity: `${identityOf(address, this.#hashOf)} ${sizes}${this.#sources}`,
      file: this.#hashOf(address),
      name: fileNameOf(address),
      alt: attribute(image, 'alt'),
    })
    this.#sources = ''
  }

  #style(element: PageNode): void {
    const style = styleOf(element, this.#hashOf)
    this.#styles.push({ style, place: this.#text.length, isText: !ownParts.has(element.name) })
    this.#media.push(...mediaOf(element, this.#hashOf))
  }

  content(): Content {
    return {
      text: this.#text.read(),
      pictures: this.#pictures,
      media: this.#media,
      attributes: this.#attributes,
      style: this.#styles.map(({ style }) => style).join(''),
      textStyle: this.#styles.map(({ style, isText }) => (isText ? style : '')).join(''),
      placedStyle: this.#styles.map(({ style, place }) => `${style}${place}`).join(''),
    }
  }
}
