import type { Page } from 'playwright'

interface Drawn {
  readonly nodeType: number
  readonly nodeName: string
  readonly nodeValue: string
  readonly children?: readonly Drawn[]
  readonly shadowRoots?: readonly Drawn[]
}

/**
 * The text that Chromium shows in fields of this type, such as `дд.мм.гггг` in a date field. Scripts cannot read it.
 */
export async function drawnIn(page: Page, type: string): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
  await session.detach()
  const textOf = (node: Drawn): string =>
    node.nodeValue + [...(node.shadowRoots ?? []), ...(node.children ?? [])].map(textOf).join('')
  const fieldsIn = (node: Drawn & { readonly attributes?: readonly string[] }): readonly string[] => {
    const isField = node.nodeName === 'INPUT' && node.attributes?.includes(type) === true
    return isField ? [textOf(node)] : (node.children ?? []).flatMap(fieldsIn)
  }
  return fieldsIn(root)
}
