import type { Target } from '../../../contract/domain/target.ts'
import { isSamePlace, targetAddress } from '../../../contract/domain/target.ts'
import type { SiteId } from '../../../contract/ids.ts'
import type { SecretsState } from '../../../contract/protocol/failure.ts'
import type { Result } from '../../../contract/result.ts'
import { fail, ok } from '../../../contract/result.ts'
import type { Index } from '../../library/db/library-index.ts'
import type { SiteSecrets } from '../../library/secrets/site-secrets.ts'
import type { StoreProblem } from '../../library/secrets/store.ts'
import { scheduleNote } from './schedule.ts'

const confirmedName = ({ site, name }: Target): string => `confirmed-target/${site}/${name}`

/** A target with what this machine knows about it; never its credentials. */
export interface TargetSummary extends Target {
  readonly isConfirmed: boolean
  readonly credentials: 'stored' | SecretsState
}

/**
 * The publishing targets of sites. A library from elsewhere may bring targets whose addresses no one on this machine
 * has confirmed: nothing is sent there until someone saves them again.
 */
export function createTargetSettings(
  { targets, settings, commit }: Pick<Index, 'targets' | 'settings' | 'commit'>,
  secrets: SiteSecrets,
  /** Its address has nothing to do with the target any more. */
  onLeft: (target: Target) => void,
) {
  /** The address that a person confirmed last on this machine; null: none. */
  const confirmedAddress = (target: Target): string | null => settings.get(confirmedName(target))
  const isConfirmed = (target: Target): boolean => confirmedAddress(target) === targetAddress(target.place)

  async function summary(target: Target): Promise<TargetSummary> {
    const key = await secrets.targetKey(target.site, target.name)
    return { ...target, isConfirmed: isConfirmed(target), credentials: key.ok ? 'stored' : key.failure }
  }

  return {
    isConfirmed,
    confirmedAddress,
    summary,
    /** The other target of this library that has the same place. */
    holderOf: ({ site, name, place }: Target): Target | null =>
      targets.all().find((other) => isSamePlace(other.place, place) && !(other.site === site && other.name === name)) ??
      null,
    list: (site: SiteId): Promise<readonly TargetSummary[]> => Promise.all(targets.list(site).map(summary)),
    /** Adds or changes a target. `key` null: the stored credentials stay, unless they belonged to another address. */
    async save(target: Target, key: string | null): Promise<Result<TargetSummary, StoreProblem | 'secrets_read_only'>> {
      const before = targets.find(target.site, target.name)
      const isElsewhere = before !== null && targetAddress(before.place) !== targetAddress(target.place)
      if (key !== null && secrets.writer === null) return fail('secrets_read_only')
      if ((key !== null || isElsewhere) && secrets.writer !== null) {
        const written = await secrets.writer.setTargetKey(target.site, target.name, key)
        if (!written.ok) return written
      }
      await commit.write(() => targets.put(target))
      if (isElsewhere) onLeft(before)
      // New to the schedule, whatever it did before.
      if (before?.schedule !== target.schedule)
        for (const each of [before, target]) if (each !== null) settings.forget(scheduleNote(each))
      settings.put(confirmedName(target), targetAddress(target.place))
      return ok(await summary(target))
    },
    async remove(target: Target): Promise<Result<null, StoreProblem>> {
      const { site, name, place } = target
      const removed = await secrets.writer?.setTargetKey(site, name, null)
      if (removed && !removed.ok) return removed
      await commit.write(() => targets.remove(site, name))
      onLeft(target)
      if (place.kind === 'sftp') settings.forget(`sftp-host-key/${place.host}:${place.port}`)
      return ok(null)
    },
  }
}
