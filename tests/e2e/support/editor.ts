import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page, Request } from 'playwright'
import { expect } from 'vitest'

import { siteDefaults } from '../../../packages/library/records/site-input.ts'
import { createEmulator } from '../../../packages/service/emulator.ts'
import { openGalley } from '../../support/open-galley.ts'
import { signatureOf } from '../../support/service.ts'
import { aFolder } from './app.ts'
import { atEnd } from './at-end.ts'
import { aBrowserPage } from './browser-window.ts'
import { aPicture } from './review.ts'

const font = fileURLToPath(new URL('../../../resources/demo/inter-latin.woff2', import.meta.url))

/** The path of a picture for file pickers. */
export const aDrawing = fileURLToPath(new URL('../../../resources/demo/harbour.svg', import.meta.url))

const apiKey = 'press-key'
const secret = 'press secret'

/** An emulator with its built editor page, Galley as the site, and a window for the page. */
export async function anEditor() {
  const emulator = await createEmulator({
    port: 0,
    apiKey,
    apiSecret: secret,
    editorDir: fileURLToPath(new URL('../../../out/editor', import.meta.url)),
  })
  atEnd(emulator.close)
  const galley = await openGalley({ folder: await aFolder() })
  let isSiteUp = true
  const stopSite = async (): Promise<void> => {
    if (isSiteUp) await galley.close()
    isSiteUp = false
  }
  atEnd(stopSite)
  const listener = await galley.listener.start('127.0.0.1', 0)
  if (listener.kind !== 'listening') throw new Error('The listener did not start')
  const site = {
    ...siteDefaults,
    id: 'press',
    name: 'Press',
    baseUrl: emulator.baseUrl,
    apiKey,
    allowedDomains: [],
    downloadOrigins: [],
    callbackUrl: `${listener.url}/callback/press`,
  }
  const saved = await galley.sites.save(site, secret)
  if (!saved.ok) throw new Error('The site was not saved')

  const page = await aBrowserPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))

  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> =>
    (
      await fetch(new URL(path, emulator.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    ).json()

  const sessionOf = (fingerprint: string) => {
    const root = `/_emulator/sessions/${fingerprint}`
    const text = async (): Promise<string> => (await fetch(new URL(root, emulator.url))).text()
    return {
      text,
      state: async () => ((await JSON.parse(await text())) as { state: Record<string, unknown> }).state,
      save: (body: string) => post(`${root}/save`, body),
    }
  }

  return {
    page,
    emulator,
    stopSite,
    canvas: page.getByRole('textbox', { name: 'Page', exact: true }),
    /** The texts of the page in their order. */
    words: () =>
      page.evaluate(() => (document.querySelector('.ProseMirror')?.textContent ?? '').replaceAll(/\s+/g, ' ')),
    /** Opens a material as Galley does, and its editor in the window. */
    async open(materialId: string) {
      const opened = await galley.sessions.open({ site: 'press', materialId, title: null, slug: null, metadata: null })
      if (!opened.ok) throw new Error(`${materialId} was not opened`)
      const session = sessionOf(opened.value.fingerprint)
      return { ...session, url: opened.value.url }
    },
    /** A session that Galley did not open, so it refuses its saves. */
    async openPastGalley(materialId: string, state: object = {}, metadata: object = {}) {
      const { callbackUrl } = site
      const opened = await post(
        `${emulator.baseUrl}/session/open`,
        { api_key: apiKey, callback_url: callbackUrl, material_id: materialId, vms_json: state, metadata },
        { 'x-service-signature': signatureOf(secret, materialId, callbackUrl) },
      )
      return opened as { readonly url: string }
    },
    /** The site's fonts change: one family. */
    async sendFonts(family: string) {
      const answer = await post('/_emulator/fonts', {
        material_id: 'site-fonts',
        callback_url: site.callbackUrl,
        files: { 'font.woff2': (await readFile(font)).toString('base64') },
        css: `@font-face{font-family:'${family}';src:url(dummy-font.woff2)}`,
        tree: { list: [{ family, variants: [{ files: { woff2: { id: 'font.woff2' } } }] }] },
      })
      expect(answer).toMatchObject({ result: 'merged' })
    },
    async show(url: string) {
      await page.goto(url)
      await page.getByRole('textbox', { name: 'Page', exact: true }).waitFor()
      // An empty page takes the focus shortly after it appears.
      await page.waitForFunction(() => {
        const canvas = document.querySelector('.ProseMirror')
        return canvas === document.activeElement || canvas?.childElementCount !== 2 || canvas.textContent !== ''
      })
    },
    /** Saves by key and waits for the message. */
    async save(expected: string | RegExp): Promise<void> {
      // In either case, the message of an earlier save has disappeared by then.
      const sent = new Promise<void>((resolve) => {
        const settled = (request: Request): void => {
          if (request.url().endsWith('/save')) resolve()
        }
        page.on('requestfinished', settled)
        page.on('requestfailed', settled)
      })
      await page.keyboard.press('Control+s')
      await sent
      await page.getByText(expected).waitFor()
    },
    /** Errors of the page, and what its policy refused. */
    expectNoComplaints: () => expect(complaints).toEqual([]),
  }
}

/** A file from the clipboard or from another program. */
export interface GivenFile {
  readonly name: string
  readonly type: string
  readonly base64: string
}

export const aPng: GivenFile = { name: 'Boats & nets.png', type: 'image/png', base64: aPicture.toString('base64') }
export const aVideo: GivenFile = { name: 'Ferry.mp4', type: 'video/mp4', base64: 'AAAA' }

/** Pastes files into an element, or drops them at its middle. */
export async function give(
  page: Page,
  selector: string,
  how: 'paste' | 'drop',
  files: readonly GivenFile[],
): Promise<void> {
  await page.evaluate(
    ({ selector, how, files }) => {
      const transfer = new DataTransfer()
      for (const { name, type, base64 } of files)
        transfer.items.add(new File([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], name, { type }))
      const target = document.querySelector(selector)
      const { left = 0, top = 0, width = 0, height = 0 } = target?.getBoundingClientRect() ?? {}
      const at = { clientX: left + width / 2, clientY: top + height - 2 }
      target?.dispatchEvent(
        how === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
          : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true, ...at }),
      )
    },
    { selector, how, files },
  )
}
