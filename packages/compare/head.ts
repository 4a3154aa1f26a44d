import { isBackground, isUnread, markupOf } from './content.ts'
import type { HashOf } from './identity.ts'
import { fileNameOf, identityOf, identityOfCss, withUrls } from './identity.ts'
import type { PageNode } from './page-tree.ts'
import { attribute, isText } from './page-tree.ts'

/** What a page says besides its content. */
export interface Head {
  readonly title: string
  readonly description: string
  /** Style sheets, by file or text, in their order. */
  readonly styles: readonly string[]
  /** The background pictures that style sheets in the page name, by what they lead to. */
  readonly backgrounds: ReadonlyMap<string, string>
  /** Scripts, and what is shown without them or made by them. */
  readonly scripts: readonly string[]
  /** Other data and links of the head, sorted. */
  readonly data: readonly string[]
}

/** Collects what a page says besides its content, from its head and wherever else it is written. */
export class HeadReader {
  #title: string | null = null
  #description: string | null = null
  readonly #styles: string[] = []
  readonly #backgrounds = new Map<string, string>()
  readonly #scripts: string[] = []
  readonly #data: string[] = []
  readonly #hashOf: HashOf

  constructor(hashOf: HashOf) {
    this.#hashOf = hashOf
  }

  read(element: PageNode): void {
    const { name } = element
    if (name === 'title') this.#title ??= textIn(element).replace(/\s+/g, ' ').trim()
    else if (name === 'meta') this.#meta(element)
    else if (name === 'link') this.#link(element)
    else if (name === 'base') this.#data.push(`base ${attributesOf(element, this.#hashOf)}`)
    else if (name === 'style') this.#sheet(element)
    else if (name === 'script') this.#scripts.push(`${attributesOf(element, this.#hashOf)} ${textIn(element).trim()}`)
    else if (name === 'template' && element.content !== null)
      this.#scripts.push(`${attributesOf(element, this.#hashOf)} ${markupOf(element.content, this.#hashOf)}`)
    else if (isUnread(name)) this.#scripts.push(markupOf(element, this.#hashOf))
  }

  #sheet(element: PageNode): void {
    const css = textIn(element)
    this.#styles.push(`${attributesOf(element, this.#hashOf)} ${identityOfCss(css, this.#hashOf)}`)
    if (!css.includes('url(')) return
    withUrls(css, (address, property) => {
      if (isBackground(property)) this.#backgrounds.set(identityOf(address, this.#hashOf), fileNameOf(address))
      return ''
    })
  }

  #meta(element: PageNode): void {
    if (attribute(element, 'name')?.toLowerCase() === 'description')
      this.#description ??= (attribute(element, 'content') ?? '').replace(/\s+/g, ' ').trim()
    else this.#data.push(`meta ${attributesOf(element, this.#hashOf)}`)
  }

  #link(element: PageNode): void {
    const isStyle = /(?:^|\s)stylesheet(?:\s|$)/i.test(attribute(element, 'rel') ?? '')
    const list = isStyle ? this.#styles : this.#data
    list.push(`link ${attributesOf(element, this.#hashOf)}`)
  }

  head(): Head {
    return {
      title: this.#title ?? '',
      description: this.#description ?? '',
      styles: this.#styles,
      backgrounds: this.#backgrounds,
      scripts: this.#scripts,
      data: this.#data.toSorted(),
    }
  }
}

function textIn(element: PageNode): string {
  const parts: string[] = []
  for (let child = element.first; child !== null; child = child.next) if (isText(child)) parts.push(child.text)
  return parts.join('')
}

const attributesOf = ({ attributes }: PageNode, hashOf: HashOf): string =>
  attributes
    .map(({ name, value }) => `${name}=${name === 'href' || name === 'src' ? identityOf(value, hashOf) : value}`)
    .toSorted()
    .join(' ')
