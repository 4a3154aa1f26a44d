import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A save for the emulator (docs/api.md, section 4): files in base64. */
export interface DemoSave {
  readonly html: string
  readonly state: unknown
  readonly files: Readonly<Record<string, string>>
  readonly user_email: string
}

const style =
  '.story{max-width:42rem;margin:0 auto;padding:2rem 1.25rem;font:1.0625rem/1.65 "Inter Variable",system-ui,sans-serif}' +
  '.story img{width:100%;height:auto;border-radius:.5rem}.story h1{font-size:2rem;line-height:1.2}.story figure{margin:1.5rem 0}'

/** A block of the emulator's editor. */
type Block =
  | { readonly type: 'heading' | 'paragraph'; readonly text: string }
  | { readonly type: 'image'; readonly file: string; readonly alt: string }

const title = 'A weekend by the harbour'

const beginning: readonly Block[] = [
  { type: 'paragraph', text: 'The first boats leave before sunrise. Bring a jacket, and an appetite.' },
  { type: 'image', file: 'harbour.svg', alt: 'A sailing boat at dusk' },
]

const market: readonly Block[] = [
  { type: 'heading', text: 'Then, the market' },
  { type: 'paragraph', text: 'By nine the stalls are open: oranges, apples, and bread that is still warm.' },
  { type: 'image', file: 'market.svg', alt: 'Two market stalls' },
]

function blockHtml(block: Block): string {
  if (block.type === 'image')
    return `<figure><img src="dummy-${block.file}" alt="${block.alt}" width="960" height="540"></figure>`
  return block.type === 'heading' ? `<h2>${block.text}</h2>` : `<p>${block.text}</p>`
}

const save = (blocks: readonly Block[], files: DemoSave['files']): DemoSave => ({
  html:
    `<article class="vrstk-article" data-vrstk-article=""><style data-vrstk-critical-css="">${style}</style>` +
    `<div class="story"><h1>${title}</h1>${blocks.map(blockHtml).join('')}</div></article>`,
  state: { title, blocks, assets: {} },
  files,
  user_email: 'editor@galley.example',
})

/** The content of the demo: a page, an edited version of it, and a font set. */
export async function demoContent(folder: string) {
  const base64 = async (file: string): Promise<string> => (await readFile(join(folder, file))).toString('base64')
  const [boat, stalls, font] = await Promise.all(['harbour.svg', 'market.svg', 'inter-latin.woff2'].map(base64))
  if (boat === undefined || stalls === undefined || font === undefined)
    throw new Error('The demo content is incomplete')

  const first = save(beginning, { 'harbour.svg': boat })
  const second = save([...beginning, ...market], { 'harbour.svg': boat, 'market.svg': stalls })
  const fonts = {
    files: { 'inter-latin.woff2': font },
    css: "@font-face{font-family:'Inter Variable';font-weight:100 900;src:url(dummy-inter-latin.woff2) format('woff2')}",
    tree: {
      css: { id: 'vms_fonts.css' },
      list: [{ family: 'Inter Variable', variants: [{ files: { woff2: { id: 'inter-latin.woff2' } } }] }],
    },
  }
  return { first, second, fonts }
}
