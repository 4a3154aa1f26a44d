import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One save as the emulator takes it (INTERFACES section 4): files in base64. */
export interface DemoSave {
  readonly html: string
  readonly state: unknown
  readonly files: Readonly<Record<string, string>>
  readonly user_email: string
}

const style =
  '.story{max-width:42rem;margin:0 auto;padding:2rem 1.25rem;font:1.0625rem/1.65 "Inter Variable",system-ui,sans-serif}' +
  '.story img{width:100%;height:auto;border-radius:.5rem}.story h1{font-size:2rem;line-height:1.2}.story figure{margin:1.5rem 0}'

const page = (heading: string, body: string): string =>
  `<article class="vrstk-article" data-vrstk-article=""><style data-vrstk-critical-css="">${style}</style>` +
  `<div class="story"><h1>${heading}</h1>${body}</div></article>`

const figure = (file: string, alt: string): string =>
  `<figure><img src="dummy-${file}" alt="${alt}" width="960" height="540"></figure>`

/** What the demo saves: a page, the same page edited, and a font set. */
export async function demoContent(folder: string) {
  const base64 = async (file: string): Promise<string> => (await readFile(join(folder, file))).toString('base64')
  const [harbour, market, font] = await Promise.all(['harbour.svg', 'market.svg', 'inter-latin.woff2'].map(base64))
  if (harbour === undefined || market === undefined || font === undefined)
    throw new Error('The demo content is incomplete')

  const first: DemoSave = {
    html: page(
      'A weekend by the harbour',
      `<p>The first boats leave before sunrise. Bring a jacket, and an appetite.</p>${figure('harbour.svg', 'A sailing boat at dusk')}`,
    ),
    state: { blocks: [{ type: 'heading' }, { type: 'text' }, { type: 'image', file: 'harbour.svg' }], assets: {} },
    files: { 'harbour.svg': harbour },
    user_email: 'editor@galley.example',
  }
  const second: DemoSave = {
    html: page(
      'A weekend by the harbour',
      '<p>The first boats leave before sunrise. Bring a jacket, and an appetite.</p>' +
        `${figure('harbour.svg', 'A sailing boat at dusk')}<h2>Then, the market</h2>` +
        `<p>By nine the stalls are open: oranges, apples, and bread that is still warm.</p>${figure('market.svg', 'Two market stalls')}`,
    ),
    state: {
      blocks: [
        { type: 'heading' },
        { type: 'text' },
        { type: 'image', file: 'harbour.svg' },
        { type: 'heading' },
        { type: 'text' },
        { type: 'image', file: 'market.svg' },
      ],
      assets: {},
    },
    files: { 'harbour.svg': harbour, 'market.svg': market },
    user_email: 'editor@galley.example',
  }
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
