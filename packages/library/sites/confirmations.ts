import { createHash } from 'node:crypto'
import { isStorageFault } from '@galley/platform'

import type { Index } from '../db/library-index.ts'
import { publishPlace } from '../records/site-input.ts'
import type { Site } from '../records/site.ts'
import { variablePart } from '../secrets/from-environment.ts'
import type { Confirmation } from '../settings/confirmed-sites.ts'
import { confirmedSites } from '../settings/confirmed-sites.ts'

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

const fingerprintOf = (site: ConfirmedValues): string =>
  createHash('sha256')
    .update(JSON.stringify(confirmedFields.map((field) => (field === 'publish' ? whereTo(site) : site[field]))))
    .digest('hex')

/** The publishing target, only with the fields that say where files go. */
const whereTo = ({ publish }: ConfirmedValues): Site['publish'] =>
  publish.kind === 's3' ? { ...publish, publicCheck: undefined } : publish

const confirmationOf = (site: Site, editorOrigins: readonly string[]): Confirmation => ({
  fingerprint: fingerprintOf(site),
  editorOrigins: [...editorOrigins],
  values: confirmedTexts(site),
})

/**
 * The settings that a person last confirmed for a site on this computer, as text by field; null if they are not
 * known.
 */
export type LastConfirmed = Readonly<Record<string, string | null>> | null

/** Whether two settings of a site send the same data to the same destinations. */
export const isSameDestination = (one: Site, other: Site): boolean => fingerprintOf(one) === fingerprintOf(other)

/** On a full or read-only disk, a later try writes them. */
function writeIfPossible(
  stored: ReturnType<typeof confirmedSites>,
  confirmed: ReadonlyMap<string, Confirmation>,
): void {
  try {
    stored.write(confirmed)
  } catch (error) {
    if (!isStorageFault(error)) throw error
  }
}

/**
 * Which sites may be used on this machine: those whose addresses, key and publishing target a person has confirmed and
 * that have not changed since. For other sites, nothing is signed, downloaded or published.
 */
export function createConfirmations(
  { settings, sites, followTeam }: Pick<Index, 'settings' | 'sites' | 'followTeam'>,
  /** Whether this opening has created a new `local.db`. */
  isLocalLost: boolean,
  team: { readonly membership: { readonly isCatchingUp?: true } } | null = null,
) {
  const stored = confirmedSites(settings)
  // Joining a team confirms its sites as they are at the end of its log. Confirmations that were lost with `local.db` are
  // unknown.
  const isTrusted = followTeam !== null && !isLocalLost
  let hasBegun = stored.exist()
  function begin(): void {
    if (!hasBegun)
      stored.begin(new Map(isTrusted ? sites.list().map((site) => [site.id, confirmationOf(site, [])]) : []))
    hasBegun = true
  }
  const isEarly = (): boolean => !hasBegun && isTrusted && team?.membership.isCatchingUp === true
  if (!isEarly()) begin()
  const fromBefore = followTeam === null ? null : stored.beforeTeam(sites.list())

  /**
   * Whether a member has added this site since this machine joined. Nothing here can sign for its address before a person
   * enters a secret for it, or opens it with the secret that the environment has for its ID alone. A folder is one of the
   * member's disk: media would be written to the same path of this one.
   */
  const isNewInTeam = ({ id, publish }: Site): boolean =>
    fromBefore !== null &&
    publish.kind !== 'folder' &&
    !fromBefore.has(id) &&
    !sites.list().some((other) => other.id !== id && variablePart(other.id) === variablePart(id))

  /** Confirms a new site of the team as it is when it is first seen. */
  function asFirstSeen(site: Site): Confirmation | null {
    if (!isNewInTeam(site)) return null
    const confirmation = confirmationOf(site, [])
    writeIfPossible(stored, stored.read().set(site.id, confirmation))
    return confirmation
  }

  const of = (site: Site): Confirmation | null => {
    if (isEarly()) return confirmationOf(site, [])
    begin()
    const found = stored.read().get(site.id) ?? asFirstSeen(site)
    return found?.fingerprint === fingerprintOf(site) ? found : null
  }
  const keep = (site: Site, editorOrigins: readonly string[]): void => {
    begin()
    stored.write(stored.read().set(site.id, confirmationOf(site, editorOrigins)))
  }

  return {
    /** In a team, too, each machine confirms for itself: the secrets that a change could leak are its own. */
    isConfirmed: (site: Site): boolean => of(site) !== null,
    lastConfirmed({ id }: Pick<Site, 'id'>): LastConfirmed {
      const { values = {} } = stored.read().get(id) ?? {}
      return Object.keys(values).length > 0 ? values : null
    },
    /** A person has confirmed the current settings of this site. */
    confirm: (site: Site): void => keep(site, of(site)?.editorOrigins ?? []),
    /** Makes the site unconfirmed. The values that were confirmed are kept, to be shown beside the new ones. */
    withdraw(id: string): void {
      begin()
      const confirmed = stored.read()
      const { values = {} } = confirmed.get(id) ?? {}
      stored.write(confirmed.set(id, { fingerprint: '', editorOrigins: [], values }))
    },
    forget(id: string): void {
      begin()
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
