import type { Content, PageFile } from './content.ts'
import { ContentReader, detailsOf, embeds, isInline, isUnread, mediaOf, ofHead, styleOf } from './content.ts'
import type { Head } from './head.ts'
import { HeadReader } from './head.ts'
import type { HashOf } from './identity.ts'
import type { PageNode } from './page-tree.ts'
import { following, isElement, pageTree } from './page-tree.ts'

export type BlockKind = 'heading' | 'paragraph' | 'list_item' | 'cell' | 'figure' | 'embed' | 'container'

/** Where a block is in its page. */
export interface BlockPlace {
  /** For each element on the way from the root element, its number among the elements of its parent, from 0. */
  readonly path: readonly number[]
  /**
   * Null: the element. Otherwise a text directly in it, beside other blocks: behind the first `from` elements in it, up to
   * and with the one before number `to`.
   */
  readonly run: { readonly from: number; readonly to: number } | null
}

export interface Block extends Content {
  readonly kind: BlockKind
  readonly element: PageNode
  readonly run: BlockPlace['run']
  /** The number of the container around it; -1 for the root element. */
  readonly parent: number
  /** Whether it is matched by itself and not by what is in it: no container, or one without content. */
  readonly isEmpty: boolean
  /** Equal for blocks that are equal in everything, except their place. */
  readonly key: string
}

/** A page as its blocks, in its order: a container before what it contains. */
export interface Page {
  readonly blocks: readonly Block[]
  readonly head: Head
}

/** Content further inside is read as part of the block there. Browsers end at 512. */
const depthMax = 200

const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** Elements that every page has, empty or not. */
export const everywhere: ReadonlySet<string> = new Set(['html', 'head', 'body', 'frameset'])
const items: ReadonlySet<string> = new Set(['li', 'dt', 'dd'])
const cells: ReadonlySet<string> = new Set(['td', 'th'])

/** How a text in an element is called, from the element or those around it. */
function kindIn(name: string, outer: BlockKind): BlockKind {
  if (headings.has(name)) return 'heading'
  if (items.has(name)) return 'list_item'
  if (cells.has(name)) return 'cell'
  return name === 'figure' ? 'figure' : outer
}

/** A figure with such an element is a container, otherwise a picture with its caption. */
const isOwnInFigure = (name: string): boolean => embeds.has(name) || kindIn(name, 'paragraph') !== 'paragraph'

/** Whether what is in an element is read with it, or not at all. */
const isClosed = (name: string): boolean => isUnread(name) || embeds.has(name) || name === 'svg' || name === 'math'

const isBlock = (name: string): boolean => embeds.has(name) || !(isInline(name) || isUnread(name) || ofHead.has(name))

/** Numbers the elements, and marks which of them contain blocks. */
function survey(root: PageNode, head: HeadReader): void {
  for (let node: PageNode | null = root; node !== null; node = following(node, root, !isClosed(node.name))) {
    node.depth = node.parent === null ? 0 : node.parent.depth + 1
    if (!isElement(node)) continue
    head.read(node)
    let before = node.previous
    while (before !== null && !isElement(before)) before = before.previous
    node.index = before === null ? 0 : before.index + 1
    if (isBlock(node.name)) markAround(node)
  }
}

/** Ends at the first element that is marked already, so that all of them together take linear time. */
function markAround(node: PageNode): void {
  for (let outer = node.parent; outer !== null && !outer.holdsBlock; outer = outer.parent) outer.holdsBlock = true
  if (!isOwnInFigure(node.name)) return
  for (let outer = node.parent; outer !== null && !outer.holdsOwn; outer = outer.parent) outer.holdsOwn = true
}

/** An element whose children are read one by one. */
interface OpenContainer {
  readonly element: PageNode
  readonly number: number
  /** How its texts are called. */
  readonly kind: BlockKind
  next: PageNode | null
}

const nothing: Content = {
  text: '',
  pictures: [],
  media: [],
  attributes: [],
  style: '',
  textStyle: '',
  placedStyle: '',
}

const keyOf = (kind: BlockKind, { text, pictures, media, attributes, placedStyle }: Content): string =>
  JSON.stringify([
    kind,
    text,
    placedStyle,
    pictures.map(({ identity }) => identity),
    media.map(({ kind, identity }) => [kind, identity]),
    attributes.map(({ name, identity }) => [name, identity]),
  ])

class Reader {
  readonly blocks: Block[] = []
  readonly #hashOf: HashOf
  readonly #open: OpenContainer[] = []

  constructor(hashOf: HashOf) {
    this.#hashOf = hashOf
  }

  read(root: PageNode): void {
    this.#container(root, 'paragraph', -1, false)
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      const node = top.next
      if (node === null) this.#open.pop()
      else if (isElement(node) && (isBlock(node.name) || node.holdsBlock)) {
        top.next = node.next
        this.#element(node, top)
      } else this.#run(node, top)
    }
  }

  #element(element: PageNode, { number, kind: outer }: OpenContainer): void {
    const { name } = element
    const kind = kindIn(name, outer)
    if (embeds.has(name)) this.#whole(element, 'embed', number)
    else if (element.depth < depthMax && (name === 'figure' ? element.holdsOwn : element.holdsBlock))
      this.#container(element, kind, number, false)
    else this.#whole(element, kind, number)
  }

  #whole(element: PageNode, kind: BlockKind, parent: number): void {
    const reader = new ContentReader(this.#hashOf)
    reader.read(element, true)
    const content = reader.content()
    if (kind !== 'embed' && content.text === '' && content.pictures.length === 0) {
      // An empty cell keeps its place in its row: a text in it is a change of this cell.
      if (kind === 'cell') this.#add(kind, element, null, parent, content)
      else this.#container(element, kind, parent, true)
    } else this.#add(kind === 'paragraph' && content.text === '' ? 'figure' : kind, element, null, parent, content)
  }

  /** Texts and inline elements directly in a container, up to the next block. */
  #run(first: PageNode, top: OpenContainer): void {
    const reader = new ContentReader(this.#hashOf)
    let from: number | null = null
    let to = 0
    let node: PageNode | null = first
    while (node !== null && !(isElement(node) && (isBlock(node.name) || node.holdsBlock))) {
      if (isElement(node)) {
        from ??= node.index
        to = node.index + 1
      }
      reader.read(node, false)
      node = node.next
    }
    top.next = node
    const content = reader.content()
    if (content.text === '' && content.pictures.length === 0) return
    const start = from ?? elementsBefore(first)
    const kind = top.kind === 'paragraph' && content.text === '' ? 'figure' : top.kind
    this.#add(kind, top.element, { from: start, to: from === null ? start : to }, top.number, content)
  }

  #container(element: PageNode, kind: BlockKind, parent: number, isEmpty: boolean): void {
    const style = styleOf(element, this.#hashOf)
    const attributes = detailsOf(element, '', this.#hashOf)
    const media = mediaOf(element, this.#hashOf)
    const number = this.blocks.length
    const isLeaf = isEmpty && !everywhere.has(element.name)
    this.#add(
      'container',
      element,
      null,
      parent,
      { ...nothing, media, attributes, style, textStyle: style, placedStyle: style },
      isLeaf,
    )
    if (!isEmpty) this.#open.push({ element, number, kind, next: element.first })
  }

  #add(
    kind: BlockKind,
    element: PageNode,
    run: Block['run'],
    parent: number,
    content: Content,
    isEmpty = kind !== 'container',
  ): void {
    this.blocks.push({ ...content, kind, element, run, parent, isEmpty, key: keyOf(kind, content) })
  }
}

function elementsBefore(node: PageNode): number {
  for (let before = node.previous; before !== null; before = before.previous)
    if (isElement(before)) return before.index + 1
  return 0
}

/**
 * Reads a stored page. Linear in its length, and without recursion.
 *
 * @param hashOf Tells which addresses lead to the same file
 */
export function readPage(html: string, hashOf: HashOf): Page {
  const root = rootOf(pageTree(html))
  const head = new HeadReader(hashOf)
  survey(root, head)
  const reader = new Reader(hashOf)
  reader.read(root)
  return { blocks: reader.blocks, head: head.head() }
}

/** The parser always makes an `html` element. */
function rootOf(document: PageNode): PageNode {
  let root = document
  for (let child = document.first; child !== null; child = child.next) if (isElement(child)) root = child
  return root
}

/** Where a block is, for views of its page. */
export function placeOf({ element, run }: Pick<Block, 'element' | 'run'>): BlockPlace {
  const path: number[] = []
  for (let node = element; node.parent !== null && isElement(node.parent); node = node.parent) path.push(node.index)
  return { path: path.toReversed(), run }
}

/** A text of a page, as a reader meets it. */
export interface TextBlock {
  readonly kind: BlockKind
  readonly at: BlockPlace
  readonly text: string
}

/** The pictures of a page and what else it shows or plays, in its order. */
export const filesIn = ({ blocks }: Page): readonly PageFile[] =>
  blocks.flatMap(({ pictures, media }) => [...pictures, ...media].map(({ file, name, alt }) => ({ file, name, alt })))

/** The texts of a page, in its order. */
export const textsOf = ({ blocks }: Page): readonly TextBlock[] =>
  blocks
    .filter(({ isEmpty, text }) => isEmpty && text !== '')
    .map((block) => ({ kind: block.kind, at: placeOf(block), text: block.text }))
