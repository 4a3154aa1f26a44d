import { createEmulator } from '../../../packages/service/emulator.ts'
import { signatureOf } from '../../support/service.ts'
import { atEnd } from './at-end.ts'

interface Delivered {
  readonly result: string
  /** The messages of the site. */
  readonly message?: string
  readonly version_id?: string
  readonly snapshot_id?: string
}

/** The emulator, and an editor that saves through it. */
export async function startEmulator(options: {
  readonly secret: string
  readonly now?: () => Date
  readonly signatureHeader?: string
}) {
  const { signatureHeader = 'x-service-signature' } = options
  const emulator = await createEmulator({
    port: 0,
    apiKey: 'harbour-key',
    apiSecret: options.secret,
    signatureHeader,
    ...(options.now && { now: options.now }),
  })
  atEnd(emulator.close)

  const post = async <Answer>(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as Answer
  }
  return {
    ...emulator,
    secret: options.secret,
    save: (fingerprint: string, content: EditorContent) =>
      post<Delivered>(`${emulator.url}/_emulator/sessions/${fingerprint}/save`, content),
    saveFonts: (callbackUrl: string, { files, css }: FontSet = aFontSet) =>
      post<Delivered>(`${emulator.url}/_emulator/fonts`, {
        material_id: 'site-fonts',
        callback_url: callbackUrl,
        files,
        css,
        tree: { list: [{ family: 'Inter', variants: [{ files: { woff2: { id: 'inter-latin.woff2' } } }] }] },
      }),
    /** A session that another program with the same key opened. */
    openPastGalley: (materialId: string, callbackUrl: string, metadata: object = {}) =>
      post<{ fingerprint: string }>(
        `${emulator.baseUrl}/session/open`,
        { api_key: emulator.apiKey, callback_url: callbackUrl, material_id: materialId, metadata },
        { [signatureHeader]: signatureOf(options.secret, materialId, callbackUrl) },
      ),
  }
}

/** The session of an editor URL. */
export function fingerprintIn(editorUrl: string | undefined): string {
  const [fingerprint] = /[0-9a-f-]{36}/.exec(editorUrl ?? '') ?? []
  if (fingerprint === undefined) throw new Error(`${editorUrl} leads to no session`)
  return fingerprint
}

/** Font files in base64 by their names, and the CSS that names them. */
export interface FontSet {
  readonly files: Readonly<Record<string, string>>
  readonly css: string
}

const aFontSet: FontSet = {
  files: { 'inter-latin.woff2': Buffer.from('a font').toString('base64') },
  css: '@font-face{font-family:Inter;src:url(dummy-inter-latin.woff2)}',
}

/** The save of an editor in the form that the emulator expects. */
export interface EditorContent {
  readonly html: string
  readonly state: unknown
  readonly files: Readonly<Record<string, string>>
  readonly user_email: string
}

/** A page with one picture. */
export const aPage = (heading: string): EditorContent => ({
  html: `<article><h1>${heading}</h1><p>About ${heading}.</p><img src="dummy-hero.png" alt=""></article>`,
  state: { heading, assets: {} },
  files: { 'hero.png': Buffer.from(`picture of ${heading}`).toString('base64') },
  user_email: 'anna@harbour.example',
})
