import { createHash } from 'node:crypto'

import type { Site } from '../../../contract/domain/site.ts'
import { publishPlace } from '../../../contract/domain/site-input.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { Confirmation } from '../../library/settings/confirmed-sites.ts'
import { confirmedSites } from '../../library/settings/confirmed-sites.ts'

/**
 * The settings of a site that decide where signatures, the API key and media go. `environment` does because host names of
 * a development site may resolve to this computer or a private network.
 */
export const confirmedFields = [
  'baseUrl',
  'apiKey',
  'callbackUrl',
  'publicUrl',
  'downloadOrigins',
  'publish',
  'environment',
] as const satisfies readonly (keyof Site)[]

type ConfirmedField = (typeof confirmedFields)[number]
type ConfirmedValues = Pick<Site, ConfirmedField>

/** These settings as text; null: the site has none. */
export const confirmedTexts = (site: ConfirmedValues): Record<ConfirmedField, string | null> => ({
  baseUrl: site.baseUrl,
  apiKey: site.apiKey,
  callbackUrl: site.callbackUrl,
  publicUrl: site.publicUrl,
  downloadOrigins: site.downloadOrigins.join(', ') || null,
  publish: publishPlace(site.publish),
  environment: site.environment,
})

const fingerprintOf = (site: ConfirmedValues, fields: readonly ConfirmedField[] = confirmedFields): string =>
  createHash('sha256')
    .update(JSON.stringify(fields.map((field) => (field === 'publish' ? whereTo(site) : site[field]))))
    .digest('hex')

/** Fingerprints of confirmations that have no values were made of these. */
const earlierFields = confirmedFields.filter((field) => field !== 'environment')

/** The publishing target, only with the fields that say where files go. */
const whereTo = ({ publish }: ConfirmedValues): Site['publish'] =>
  publish.kind === 's3' ? { ...publish, publicCheck: undefined } : publish

const confirmationOf = (site: Site, editorOrigins: readonly string[]): Confirmation => ({
  fingerprint: fingerprintOf(site),
  editorOrigins: [...editorOrigins],
  values: confirmedTexts(site),
})

/** Whether both settings of a site send the same things to the same places. */
export const isSameDestination = (one: Site, other: Site): boolean => fingerprintOf(one) === fingerprintOf(other)

/**
 * Which sites may be used on this machine: those whose addresses, key and publishing target a person has confirmed and
 * that have not changed since. For other sites, nothing is signed, downloaded or published.
 */
export function createConfirmations(
  { settings, sites, followTeam }: Pick<Index, 'settings' | 'sites' | 'followTeam'>,
  /** This opening has converted a library from before there were confirmations. */
  isConverted: boolean,
) {
  const stored = confirmedSites(settings)
  // Anywhere else, confirmations that are not there are lost with `local.db`.
  if (!stored.exist()) {
    const known = new Map<string, Confirmation>()
    for (const site of isConverted || followTeam !== null ? sites.list() : [])
      known.set(site.id, confirmationOf(site, []))
    stored.begin(known)
  }
  const begun = stored.read()
  const earlier = sites.list().filter((site) => {
    const { fingerprint, values } = begun.get(site.id) ?? {}
    return values === undefined && fingerprint === fingerprintOf(site, earlierFields)
  })
  for (const site of earlier) begun.set(site.id, confirmationOf(site, begun.get(site.id)?.editorOrigins ?? []))
  if (earlier.length > 0) stored.write(begun)

  const of = (site: Site): Confirmation | null => {
    const found = stored.read().get(site.id)
    return found?.fingerprint === fingerprintOf(site) ? found : null
  }
  const keep = (site: Site, editorOrigins: readonly string[]): void => {
    stored.write(stored.read().set(site.id, confirmationOf(site, editorOrigins)))
  }

  return {
    /**
     * Anyone who can write to the log of a team is trusted with its sites: a confirmation by one member is valid for
     * all.
     */
    isConfirmed: (site: Site): boolean => followTeam !== null || of(site) !== null,
    /** What a person confirmed last for this site on this computer, by field; null: nothing that is known. */
    lastConfirmed: ({ id }: Pick<Site, 'id'>): Confirmation['values'] | null => stored.read().get(id)?.values ?? null,
    /** A person has confirmed the current settings of this site. */
    confirm: (site: Site): void => keep(site, of(site)?.editorOrigins ?? []),
    /** Nobody has confirmed its settings any more; what was confirmed is kept, to be shown beside them. */
    withdraw(id: string): void {
      const confirmed = stored.read()
      const { values } = confirmed.get(id) ?? {}
      if (values) stored.write(confirmed.set(id, { fingerprint: '', editorOrigins: [], values }))
      else this.forget(id)
    },
    forget(id: string): void {
      const confirmed = stored.read()
      if (confirmed.delete(id)) stored.write(confirmed)
    },
    /**
     * Whether the editor of this site may open on an origin: that of its base URL, or one that a person has confirmed.
     */
    isEditorOrigin: (site: Site, origin: string): boolean =>
      new URL(site.baseUrl).origin === origin || (of(site)?.editorOrigins.includes(origin) ?? false),
    allowEditorOrigin: (site: Site, origin: string): void => {
      const found = of(site)
      if (found !== null) keep(site, [...found.editorOrigins, origin])
    },
  }
}

export type Confirmations = ReturnType<typeof createConfirmations>
