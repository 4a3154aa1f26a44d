import { isLoopback } from '@galley/library/records'
import type { SiteSummary } from '@galley/library/records'
import { fail, ok } from '@galley/wire'
import type { Result } from '@galley/wire'

import type { EmulatorState, KitRun } from '../../../ipc/developer.ts'
import { kitBaseUrl } from '../../../ipc/developer.ts'
import type { FieldErrors } from '../../stores/form.ts'

/** What is typed before a run. */
export interface KitDraft {
  readonly callbackUrl: string
  readonly apiKey: string
  readonly secret: string
  readonly auth: string
  readonly baseUrl: string
  readonly materials: string
  readonly themes: readonly string[]
}

type Addresses = Pick<SiteSummary, 'callbackUrl' | 'baseUrl' | 'downloadOrigins'>
type Place = Pick<EmulatorState, 'url'> | null

const parsed = (url: string): URL | null => (URL.canParse(url) ? new URL(url) : null)
const isHttp = (url: string): boolean => /^https?:$/.test(parsed(url)?.protocol ?? '')
const originsOf = ({ baseUrl, downloadOrigins }: Addresses) =>
  [baseUrl, ...downloadOrigins].map((url) => new URL(url).origin)

/** Whether the listener of this site is tested. */
export const isOwn = ({ callbackUrl }: Pick<KitDraft, 'callbackUrl'>, site: Addresses): boolean =>
  callbackUrl.trim() === site.callbackUrl

/** An address on this computer from which the site downloads, and where no emulator is. */
export function baseUrlFor(site: Addresses, emulator: Place): string {
  const usable = [
    site.baseUrl,
    ...site.downloadOrigins.map((origin) => `${new URL(origin).origin}/integration`),
  ].filter((url) => isLoopback(new URL(url).hostname))
  return usable.find((url) => new URL(url).origin !== parsed(emulator?.url ?? '')?.origin) ?? usable[0] ?? kitBaseUrl
}

type Wrong = 'wrongUrl' | 'wrongMaterials' | 'needed' | 'noTheme' | 'emulatorThere' | 'foreign'

/** What to run, or which field is wrong and why. `all`: the titles of all themes. */
export function readKitRun(
  draft: KitDraft,
  { site, emulator, all }: { readonly site: Addresses; readonly emulator: Place; readonly all: readonly string[] },
  words: (wrong: Wrong, facts: { readonly origin: string }) => string,
): Result<Omit<KitRun, 'site'>, FieldErrors<KitDraft>> {
  const { apiKey, secret, auth, themes } = draft
  const [callbackUrl, baseUrl] = [draft.callbackUrl.trim(), draft.baseUrl.trim()]
  const materials = [...new Set(draft.materials.split('\n').map((id) => id.trim()))].filter((id) => id !== '')
  const own = isOwn(draft, site)
  const origin = parsed(baseUrl)?.origin ?? ''
  const wrong: readonly (readonly [keyof KitDraft, Wrong, boolean])[] = [
    ['callbackUrl', 'wrongUrl', !isHttp(callbackUrl)],
    ['apiKey', 'needed', !own && apiKey.trim() === ''],
    ['secret', 'needed', !own && secret === ''],
    ['baseUrl', 'foreign', own && !originsOf(site).includes(origin)],
    ['baseUrl', 'emulatorThere', origin === parsed(emulator?.url ?? '')?.origin],
    ['baseUrl', 'wrongUrl', !isHttp(baseUrl)],
    ['materials', 'wrongMaterials', materials.length === 0 || materials.length > 8],
    ['themes', 'noTheme', themes.length === 0],
  ]
  const errors = wrong.flatMap(([field, why, isWrong]) => (isWrong ? [[field, words(why, { origin })] as const] : []))
  if (errors.length > 0) return fail(Object.fromEntries(errors))
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(auth) ?? []
  return ok({
    backend: own
      ? null
      : { callbackUrl, apiKey: apiKey.trim(), secret, auth: user === '' ? null : { user, password: password ?? null } },
    baseUrl,
    materials,
    themes: themes.length === all.length ? null : [...themes],
  })
}
