import type { Token, TreeAdapter, TreeAdapterTypeMap } from 'parse5'
import { html as markup, parse } from 'parse5'

/** A node of a page. Neighbours are linked, so that a parser that moves nodes about takes no longer for long lists. */
export interface PageNode {
  /** The name of an element; begins with `#` for everything else. */
  readonly name: string
  readonly namespace: markup.NS
  readonly attributes: Token.Attribute[]
  /** The characters of a text. */
  text: string
  parent: PageNode | null
  previous: PageNode | null
  next: PageNode | null
  first: PageNode | null
  last: PageNode | null
  /** What a template contains. */
  content: PageNode | null
  /** Of an element: how many elements are before it in its parent, and around it. Set when its page is read. */
  index: number
  depth: number
  /** Whether it contains an element that is a block, and one that stays a block of its own in a figure. */
  holdsBlock: boolean
  holdsOwn: boolean
}

type Nodes = TreeAdapterTypeMap<
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode,
  PageNode
>

const node = (name: string, namespace = markup.NS.HTML, attributes: Token.Attribute[] = [], text = ''): PageNode => ({
  name,
  namespace,
  attributes,
  text,
  parent: null,
  previous: null,
  next: null,
  first: null,
  last: null,
  content: null,
  index: 0,
  depth: 0,
  holdsBlock: false,
  holdsOwn: false,
})

export const isElement = ({ name }: PageNode): boolean => !name.startsWith('#')
export const isText = ({ name }: PageNode): boolean => name === '#text'

function detach(child: PageNode): void {
  const { parent, previous, next } = child
  if (parent === null) return
  if (previous === null) parent.first = next
  else previous.next = next
  if (next === null) parent.last = previous
  else next.previous = previous
  child.parent = child.previous = child.next = null
}

/** At the end if there is no such child. */
function insert(parent: PageNode, child: PageNode, before: PageNode | null): void {
  detach(child)
  const previous = before === null ? parent.last : before.previous
  child.parent = parent
  child.previous = previous
  child.next = before
  if (previous === null) parent.first = child
  else previous.next = child
  if (before === null) parent.last = child
  else before.previous = child
}

function insertText(parent: PageNode, text: string, before: PageNode | null): void {
  const previous = before === null ? parent.last : before.previous
  if (previous !== null && isText(previous)) previous.text += text
  else insert(parent, node('#text', markup.NS.HTML, [], text), before)
}

function adapter(): TreeAdapter<Nodes> {
  const adopted = new Map<PageNode, Set<string>>()
  let mode = markup.DOCUMENT_MODE.NO_QUIRKS
  return {
    createDocument: () => node('#document'),
    createDocumentFragment: () => node('#fragment'),
    createElement: (name, namespace, attributes) => node(name, namespace, attributes),
    createCommentNode: () => node('#comment'),
    createTextNode: (text) => node('#text', markup.NS.HTML, [], text),
    appendChild: (parent, child) => insert(parent, child, null),
    insertBefore: insert,
    insertText: (parent, text) => insertText(parent, text, null),
    insertTextBefore: insertText,
    setDocumentMode: (_, next) => {
      mode = next
    },
    getDocumentMode: () => mode,
    getTagName: ({ name }) => name,
    getNamespaceURI: ({ namespace }) => namespace,
    getAttrList: ({ attributes }) => attributes,
    getTemplateContent: (template) => (template.content ??= node('#fragment')),
    getParentNode: ({ parent }) => parent,
    getFirstChild: ({ first }) => first,
    getChildNodes: (parent) => children(parent),
    getTextNodeContent: ({ text }) => text,
    getCommentNodeContent: () => '',
    getDocumentTypeNodeName: () => '',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    getNodeSourceCodeLocation: () => null,
    isTextNode: (each): each is PageNode => isText(each),
    isCommentNode: (each): each is PageNode => each.name === '#comment',
    isDocumentTypeNode: (each): each is PageNode => each.name === '#doctype',
    isElementNode: (each): each is PageNode => isElement(each),
    setDocumentType: () => undefined,
    setTemplateContent: (template, content) => {
      template.content = content
    },
    setNodeSourceCodeLocation: () => undefined,
    updateNodeSourceCodeLocation: () => undefined,
    adoptAttributes: (element, attributes) => {
      const known = adopted.get(element) ?? new Set(element.attributes.map(({ name }) => name))
      adopted.set(element, known)
      for (const each of attributes) if (!known.has(each.name)) element.attributes.push(each)
      for (const { name } of attributes) known.add(name)
    },
    detachNode: detach,
  }
}

function children(parent: PageNode): PageNode[] {
  const found: PageNode[] = []
  for (let child = parent.first; child !== null; child = child.next) found.push(child)
  return found
}

/** The node after this one in the order of the page, within `root`; not one inside of it if it is not entered. */
export function following(from: PageNode, root: PageNode, isEntered: boolean): PageNode | null {
  if (isEntered && from.first !== null) return from.first
  for (let node: PageNode | null = from; node !== null && node !== root; node = node.parent)
    if (node.next !== null) return node.next
  return null
}

/** The document of a page, as the view reads it that shows stored pages: without scripts. */
export const pageTree = (html: string): PageNode =>
  parse<Nodes>(html, { scriptingEnabled: false, treeAdapter: adapter() })

export const attribute = (element: PageNode, name: string): string | null =>
  element.attributes.find((each) => each.name === name)?.value ?? null
