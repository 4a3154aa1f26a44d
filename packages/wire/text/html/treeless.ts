import type { Token, TreeAdapter, TreeAdapterTypeMap } from 'parse5'
import { html as markup } from 'parse5'

/** The state that the parser needs of an open element. Holds no references to its content. */
export interface Shell {
  readonly tagName: string
  readonly namespaceURI: markup.NS
  readonly attrs: Token.Attribute[]
  isPlaced: boolean
  /** Whether its text is skipped because of its own name or an ancestor's. */
  isUnread: boolean
}

export type Shells = TreeAdapterTypeMap<Shell, Shell, Shell, Shell, Shell, Shell, Shell, Shell, Shell, Shell>

/** Reads the words of a page, in the order of its source. */
export interface WordsReader {
  /** Whether the text inside elements of this name is skipped. */
  isUnread(tagName: string): boolean
  opened(element: Shell, parent: Shell): void
  /** A later tag gives these attributes to `html` or `body`, which are already open. */
  adopted?(attrs: readonly Token.Attribute[]): void
  text(chars: string, parent: Shell): void
  /** Not called for elements without an end tag or still open at the end of the page. */
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
 * A tree adapter for parse5 that builds no tree, which would take hundreds of megabytes for a large page. The parser depends
 * only on its stack of open elements, so it reads every page the same way. `readerNow` is called for each event.
 */
export function treeless(readerNow: () => WordsReader | null): TreeAdapter<Shells> {
  /** The parser may move an element later; its first parent counts. */
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
      tagName,
      namespaceURI,
      attrs,
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
    // Fragments go into a theme's document, which is not in quirks mode.
    setDocumentMode: () => undefined,
    getDocumentMode: () => markup.DOCUMENT_MODE.NO_QUIRKS,
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
    adoptAttributes: (_, attrs) => readerNow()?.adopted?.(attrs),
    detachNode: () => undefined,
  }
}
