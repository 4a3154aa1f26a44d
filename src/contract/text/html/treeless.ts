import type { Token, TreeAdapter, TreeAdapterTypeMap } from 'parse5'
import { html as markup } from 'parse5'

/** As much of an element as the parser needs while it is open. Nothing holds what is inside it. */
export interface Shell {
  readonly tagName: string
  readonly namespaceURI: markup.NS
  readonly attrs: Token.Attribute[]
  isPlaced: boolean
  /** Whether its text is left out, because of its own name or one around it. */
  isUnread: boolean
}

export type Shells = TreeAdapterTypeMap<Shell, Shell, Shell, Shell, Shell, Shell, Shell, Shell, Shell, Shell>

/** Reads the words of a page, in the order of its source. */
export interface WordsReader {
  /** Whether the text inside elements of this name is left out. */
  isUnread(tagName: string): boolean
  opened(element: Shell, parent: Shell): void
  text(chars: string, parent: Shell): void
  /** Not told of elements that have no end tag, or are open when the page ends. */
  closed(element: Shell): void
}

const shell = (tagName: string, isUnread = false): Shell => ({
  tagName,
  namespaceURI: markup.NS.HTML,
  attrs: [],
  isPlaced: true,
  isUnread,
})

const nowhere = shell('#nothing', true)

/**
 * What parse5's parser asks of a tree, without the tree: of a page of megabytes it would take hundreds of them. The parser
 * decides by its stack of open elements alone, so it reads every page as it does with a tree. `readerNow` is asked again for each event.
 */
export function treeless(readerNow: () => WordsReader | null): TreeAdapter<Shells> {
  let mode = markup.DOCUMENT_MODE.NO_QUIRKS

  /** An element may be moved later; what counts is where it was first. */
  function place(parent: Shell, element: Shell): void {
    const reader = readerNow()
    if (reader === null || element.isPlaced) return
    element.isPlaced = true
    element.isUnread = parent.isUnread || reader.isUnread(element.tagName)
    reader.opened(element, parent)
  }

  return {
    createDocument: () => shell('#document'),
    createDocumentFragment: () => nowhere,
    createElement: (tagName, namespaceURI, attrs) => ({
      ...{ tagName, namespaceURI, attrs },
      isPlaced: false,
      isUnread: false,
    }),
    createCommentNode: () => nowhere,
    createTextNode: () => nowhere,
    appendChild: place,
    insertBefore: place,
    insertText: (parent, chars) => readerNow()?.text(chars, parent),
    insertTextBefore: (parent, chars) => readerNow()?.text(chars, parent),
    onItemPop: (element) => readerNow()?.closed(element),
    setDocumentMode: (_document, next) => void (mode = next),
    getDocumentMode: () => mode,
    getTagName: ({ tagName }) => tagName,
    getNamespaceURI: ({ namespaceURI }) => namespaceURI,
    getAttrList: ({ attrs }) => attrs,
    getTemplateContent: () => nowhere,
    getParentNode: () => null,
    getFirstChild: () => null,
    getChildNodes: () => [],
    getTextNodeContent: () => '',
    getCommentNodeContent: () => '',
    getDocumentTypeNodeName: () => '',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    getNodeSourceCodeLocation: () => null,
    isTextNode: (node): node is Shell => node === nowhere,
    isCommentNode: (node): node is Shell => node === nowhere,
    isDocumentTypeNode: (node): node is Shell => node === nowhere,
    isElementNode: (node): node is Shell => node !== nowhere,
    setDocumentType: () => undefined,
    setTemplateContent: () => undefined,
    setNodeSourceCodeLocation: () => undefined,
    updateNodeSourceCodeLocation: () => undefined,
    adoptAttributes: () => undefined,
    detachNode: () => undefined,
  }
}
