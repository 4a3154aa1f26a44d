import { createHash } from 'node:crypto'
import { z } from 'zod'

import { defaultSettings } from '../../../contract/ipc/settings.ts'
import type { Site } from '../../../contract/domain/site.ts'
import { publishPlace } from '../../../contract/domain/site-input.ts'
import type { Index } from '../../library/db/library-index.ts'
import { createAppSettings } from '../../library/settings/app-settings.ts'

/** The settings of a site that decide where signatures, the API key and media go. */
export const confirmedFields = [
  'baseUrl',
  'apiKey',
  'callbackUrl',
  'publicUrl',
  'downloadOrigins',
  'publish',
] as const satisfies readonly (keyof Site)[]

type ConfirmedField = (typeof confirmedFields)[number]
type ConfirmedValues = Pick<Site, ConfirmedField>

/** One of these settings as text; null: the site goes without. */
export function confirmedText(site: ConfirmedValues, field: ConfirmedField): string | null {
  if (field === 'publish') return publishPlace(site.publish)
  if (field === 'downloadOrigins') return site.downloadOrigins.join(', ') || null
  return site[field]
}

/** Under this name the settings of a library keep, on this machine, what a person has confirmed. */
const name = 'confirmed-sites'

const storedSchema = z.record(
  z.string(),
  z.object({
    /** Of the values that were confirmed. */
    fingerprint: z.string(),
    /** Origins beside that of the base URL on which a person let editors open. */
    editorOrigins: z.array(z.string()),
  }),
)
type Confirmation = z.infer<typeof storedSchema>[string]

const fingerprintOf = (site: ConfirmedValues): string =>
  createHash('sha256')
    .update(JSON.stringify(confirmedFields.map((field) => (field === 'publish' ? whereTo(site) : site[field]))))
    .digest('hex')

/** The publishing target without what says nothing about where files go. */
const whereTo = ({ publish }: ConfirmedValues): Site['publish'] =>
  publish.kind === 's3' ? { ...publish, publicCheck: undefined } : publish

type Settings = Index['settings']

/** A text that cannot be read confirms nothing. */
function read(settings: Settings): Map<string, Confirmation> {
  try {
    const parsed = storedSchema.safeParse(JSON.parse(settings.get(name) ?? '{}'))
    return new Map(parsed.success ? Object.entries(parsed.data) : [])
  } catch {
    return new Map()
  }
}

const write = (confirmed: ReadonlyMap<string, Confirmation>): string => JSON.stringify(Object.fromEntries(confirmed))

/**
 * Which sites may be used on this machine: those whose addresses, key and publishing target a person has confirmed and
 * that have not changed since. Nothing is signed for the others, and nothing is fetched from or published to them.
 */
export function createConfirmations({ settings, sites }: Pick<Index, 'settings' | 'sites'>) {
  // Sites of a library from before there were confirmations count as confirmed, once.
  if (settings.get(name) === null) {
    const known = new Map<string, Confirmation>()
    for (const site of sites.list()) known.set(site.id, { fingerprint: fingerprintOf(site), editorOrigins: [] })
    settings.getOrPut(name, write(known))
  }

  const of = (site: Site): Confirmation | null => {
    const found = read(settings).get(site.id)
    return found?.fingerprint === fingerprintOf(site) ? found : null
  }
  const keep = (site: Site, editorOrigins: readonly string[]): void => {
    const confirmation = { fingerprint: fingerprintOf(site), editorOrigins: [...editorOrigins] }
    settings.put(name, write(read(settings).set(site.id, confirmation)))
  }

  return {
    isConfirmed: (site: Site): boolean => of(site) !== null,
    /** A person has agreed to what this site uses now. */
    confirm: (site: Site): void => keep(site, of(site)?.editorOrigins ?? []),
    forget(id: string): void {
      const confirmed = read(settings)
      if (confirmed.delete(id)) settings.put(name, write(confirmed))
    },
    /** Whether the editor of this site may open on an origin: that of its base URL, or one that a person has agreed to. */
    isEditorOrigin: (site: Site, origin: string): boolean =>
      new URL(site.baseUrl).origin === origin || (of(site)?.editorOrigins.includes(origin) ?? false),
    allowEditorOrigin: (site: Site, origin: string): void => {
      const found = of(site)
      if (found !== null) keep(site, [...found.editorOrigins, origin])
    },
  }
}

export type Confirmations = ReturnType<typeof createConfirmations>

/**
 * Of a library that comes from elsewhere: none of its sites is confirmed on this machine, and nobody here has chosen the folder
 * of its backups or the address of its listener.
 */
export function forgetConfirmations(settings: Settings): void {
  settings.put(name, '{}')
  const appSettings = createAppSettings(settings)
  const listener = { ...appSettings.read().listener, host: defaultSettings.listener.host }
  appSettings.change({ listener, backups: defaultSettings.backups })
}
