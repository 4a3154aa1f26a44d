import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

import { createEmulator } from '../../../packages/service/emulator.ts'
import type { AtEnd, Environment } from './cli.ts'
import { galley, startListen } from './cli.ts'

/** The secret of the site `acme` in these tests, from the environment. */
export const acmeSecret = 'acme-secret-7f3a'

interface Where {
  readonly atEnd?: AtEnd
  /** The folder that the library is made in; a temporary one by default. */
  readonly disk?: string
}

/** A library folder that does not exist yet, and a way to run commands on it with `--json` and `--secrets env`. */
export async function aLibrary({ atEnd = onTestFinished, disk }: Where = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'galley-cli-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const library = join(disk ?? folder, 'library')
  const environment: Environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_ACME: acmeSecret, HOME: folder }
  /** The same on another library. */
  const at = (other: string, ...args: string[]) => galley([...args, '--json', '--library', other], environment)
  const run = (...args: string[]) => at(library, ...args)
  /** What a command answers that has to succeed. */
  const done = async (...args: string[]): Promise<unknown> => {
    const { code, stderr, json } = await run(...args)
    expect(code, stderr).toBe(0)
    return json()
  }
  /** How a command fails: its exit code and the code of its error. */
  const refused = async (...args: string[]): Promise<readonly [number | null, string]> => {
    const { code, failure } = await run(...args)
    return [code, failure().code]
  }
  return { folder, library, environment, run, at, done, refused }
}

/** What an editor saves; files in base64. */
interface EditedPage {
  readonly html: string
  readonly state: { readonly heading: string; readonly assets: object }
  readonly files: Readonly<Record<string, string>>
  readonly user_email: string
}

/** A save of an editor: one page with one picture. */
export const aPage = (heading: string, picture = heading): EditedPage => ({
  html: `<article><h1>${heading}</h1><p>Text of ${heading}.</p><img src="dummy-hero.png" alt=""></article>`,
  state: { heading, assets: {} },
  files: { 'hero.png': Buffer.from(`picture of ${picture}`).toString('base64') },
  user_email: 'editor@acme.example',
})

/** A library with the site `acme`, the emulator as its service, and `listen` running. */
export async function aNewsroom({ atEnd = onTestFinished, ...where }: Where = {}) {
  const place = await aLibrary({ atEnd, ...where })
  const emulator = await createEmulator({ port: 0, apiKey: 'acme-key', apiSecret: acmeSecret })
  atEnd(emulator.close)
  // The callback URL must be known before the listener starts: any free port works for both.
  const listener = await startListen(place.library, place.environment, { atEnd })
  const callbackUrl = `${listener.url}/callback/acme`
  const added = await place.run(
    'site',
    'add',
    'acme',
    '--name',
    'Acme Weekly',
    '--base-url',
    emulator.baseUrl,
    '--api-key',
    'acme-key',
    '--callback-url',
    callbackUrl,
  )
  if (added.code !== 0) throw new Error(`The site was not added: ${added.stderr}`)

  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${emulator.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await answer.json()) as {
      readonly result: string
      readonly version_id?: string
      readonly snapshot_id?: string
      readonly answer: { readonly rc?: number; readonly code?: string } | null
    }
  }
  return {
    ...place,
    emulator,
    listener,
    callbackUrl,
    save: (fingerprint: string, page: ReturnType<typeof aPage>) =>
      post(`/_emulator/sessions/${fingerprint}/save`, page),
    saveFonts: () =>
      post('/_emulator/fonts', {
        material_id: 'site-fonts',
        callback_url: callbackUrl,
        files: { 'inter.woff2': Buffer.from('not really a font').toString('base64') },
        css: '@font-face{font-family:Inter;src:url(dummy-inter.woff2)}',
        tree: { list: [{ family: 'Inter', variants: [{ files: { woff2: { id: 'inter.woff2' } } }] }] },
      }),
  }
}

/** The newsroom with one saved material and a running `listen`. */
export async function withASave(where: Where = {}) {
  const room = await aNewsroom(where)
  const opened = await room.run('open', 'acme', 'post-1')
  const { fingerprint } = opened.json() as { fingerprint: string }
  expect((await room.save(fingerprint, aPage('First'))).result).toBe('merged')
  return { ...room, fingerprint }
}

/** The newsroom with two saves of `post-1`, whose session is `opened`, and one of `post-2`; `saved` are their versions. */
export async function aRoomWithSaves(atEnd: AtEnd) {
  const room = await aNewsroom({ atEnd })
  const ran = await room.run('open', 'acme', 'post-1', '--title', 'A title', '--slug', 'a-slug')
  const opened = ran.json() as Record<string, unknown>
  const other = (await room.run('open', 'acme', 'post-2')).json() as { fingerprint: string }
  const saved: string[] = []
  for (const [fingerprint, heading] of [
    [String(opened['fingerprint']), 'First'],
    [String(opened['fingerprint']), 'Second'],
    [other.fingerprint, 'Other'],
  ] as const) {
    const done = await room.save(fingerprint, aPage(heading))
    expect(done.result).toBe('merged')
    saved.push(done.version_id ?? '')
  }
  return { room, opened, saved }
}
