import type { IndexWith, SiteSecrets, StoreProblem } from '@galley/library'
import { isMarkedLive, markLive } from '@galley/library'
import type { Target, TargetLocation } from '@galley/library/records'
import { isSameLocation, targetAddress } from '@galley/library/records'
import { withoutLinks } from '@galley/platform'
import type { Result, SecretsState, SiteId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import { lastDue, scheduleNote } from './schedule.ts'

/** Why the credentials of a target were not stored or deleted. */
type KeyFailure =
  | { readonly code: 'secrets_read_only'; readonly field: 'credentials' }
  | { readonly code: 'secrets_unavailable'; readonly state: `${'target' | 'target_removal'}_${StoreProblem}` }

/** The note with the host key of a server. Each machine keeps its own, as in `known_hosts`. */
export const hostKeyNote = ({ host, port }: Extract<TargetLocation, { kind: 'sftp' }>): string =>
  `sftp-host-key/${host}:${port}`

const realPlace = async (place: TargetLocation): Promise<TargetLocation> =>
  place.kind === 'folder' ? { ...place, directory: await withoutLinks(place.directory) } : place

const confirmedName = ({ site, name }: Target): string => `confirmed-target/${site}/${name}`

/** A target with what this machine knows about it; never its credentials. */
export interface TargetSummary extends Target {
  /** Whether it is marked as the target that readers see. */
  readonly isLive: boolean
  readonly isConfirmed: boolean
  readonly credentials: 'stored' | SecretsState
}

interface TargetEdges {
  readonly now: () => Date
  /** Called with a target that no longer uses its earlier address. */
  readonly onLeft: (target: Target) => void
}

/**
 * The publishing targets of sites. A library from elsewhere may bring targets whose addresses no one on this machine
 * has confirmed: nothing is sent there until someone saves them again.
 */
export function createTargetSettings(
  index: IndexWith<'commit' | 'fields' | 'publishing' | 'settings' | 'targets'>,
  secrets: SiteSecrets,
  { now, onLeft }: TargetEdges,
) {
  const { targets, settings, publishing, commit } = index
  /** The address that a person confirmed last on this machine; null: none. */
  const confirmedAddress = (target: Target): string | null => settings.get(confirmedName(target))
  const isConfirmed = (target: Target): boolean => confirmedAddress(target) === targetAddress(target.place)

  async function summary(target: Target): Promise<TargetSummary> {
    const key = await secrets.targetKey(target.site, target.name)
    return {
      ...target,
      isLive: isMarkedLive(index, target),
      isConfirmed: isConfirmed(target),
      credentials: key.ok ? 'stored' : key.failure,
    }
  }

  /** Once no target uses it. */
  function forgetServer(hostKey: string): void {
    const isUsed = targets.all().some(({ place }) => place.kind === 'sftp' && hostKeyNote(place) === hostKey)
    if (!isUsed) settings.forget(hostKey)
  }

  return {
    isConfirmed,
    confirmedAddress,
    summary,
    /** The other target of this library that has the same place, perhaps under another path. */
    async holderOf({ site, name, place }: Target): Promise<Target | null> {
      const wanted = await realPlace(place)
      for (const other of targets.all())
        if (!(other.site === site && other.name === name) && isSameLocation(await realPlace(other.place), wanted))
          return other
      return null
    },
    list: (site: SiteId): Promise<readonly TargetSummary[]> => Promise.all(targets.list(site).map(summary)),
    /**
     * Adds or changes a target. `key` null: the stored credentials stay, unless they belonged to another address. The library
     * is written first, because credentials could not be put back; nothing is sent to an address until it is confirmed. `isLive`
     * null: as before.
     */
    async save(
      target: Target,
      key: string | null,
      isLive: boolean | null = null,
    ): Promise<Result<TargetSummary, KeyFailure>> {
      const before = targets.find(target.site, target.name)
      const wasAt = confirmedAddress(target) ?? (before && targetAddress(before.place))
      const isElsewhere = wasAt !== null && wasAt !== targetAddress(target.place)
      if (key !== null && secrets.writer === null) return fail({ code: 'secrets_read_only', field: 'credentials' })
      await commit.write(() => targets.put(target))
      if ((key !== null || isElsewhere) && secrets.writer !== null) {
        const written = await secrets.writer.setTargetKey(target.site, target.name, key)
        if (!written.ok) {
          await commit.write(() => (before ? targets.put(before) : targets.remove(target.site, target.name)))
          return fail({ code: 'secrets_unavailable', state: `target_${written.failure}` })
        }
      }
      if (before !== null && targetAddress(before.place) !== targetAddress(target.place)) onLeft(before)
      // Counts as new to the schedule, whatever happened before.
      if (before?.schedule !== target.schedule) {
        const zone = publishing.of(target.site).timeZone
        if (before !== null) settings.forget(scheduleNote(before, zone))
        if (target.schedule !== null)
          settings.put(scheduleNote(target, zone), lastDue(target.schedule, zone, now()).toISOString())
      }
      if (isLive !== null) await commit.write(() => markLive(index, target, isLive))
      settings.put(confirmedName(target), targetAddress(target.place))
      return ok(await summary(target))
    },
    async remove(target: Target): Promise<Result<null, KeyFailure>> {
      const { site, name, place } = target
      // First, to show that the library can be written: after the key is deleted, neither the key nor the releases
      // could be restored.
      await commit.write(() => targets.put(target))
      const removed = await secrets.writer?.setTargetKey(site, name, null)
      if (removed && !removed.ok)
        return fail({ code: 'secrets_unavailable', state: `target_removal_${removed.failure}` })
      await commit.write(() => targets.remove(site, name))
      settings.forget(confirmedName(target))
      onLeft(target)
      if (place.kind === 'sftp') forgetServer(hostKeyNote(place))
      return ok(null)
    },
  }
}
