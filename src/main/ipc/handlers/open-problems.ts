import type { IndexReads, SiteSettings, Webhooks } from '@galley/library'
import { describeLibrary } from '@galley/library'
import { isSampleSite, storageFault, unreachableFields } from '@galley/library/records'
import type { OpenSiteProblem, SiteSummary, SiteWithProblems } from '@galley/library/records'
import { diskSpace } from '@galley/platform'
import type { TeamStateFeed } from '@galley/team'

import type { OpenProblems } from '../../../ipc/health.ts'
import type { LibraryCarePorts } from './library-care.ts'

export interface OpenProblemPorts extends Pick<LibraryCarePorts, 'folder' | 'index' | 'library' | 'care' | 'listener'> {
  readonly sites: Pick<SiteSettings, 'list'>
  readonly teamState: Pick<TeamStateFeed, 'view'>
  readonly webhooks: Pick<Webhooks, 'problem'>
}

interface SiteProblemPorts extends Pick<OpenProblemPorts, 'webhooks'> {
  readonly index: Pick<IndexReads, 'failedSaves' | 'unsignedSaves'>
}

type Urgency = NonNullable<OpenProblems['urgency']>

/** The sites that need a person; the others are left out. */
export const sitesWithProblems = (
  ports: SiteProblemPorts,
  sites: readonly SiteSummary[],
): readonly SiteWithProblems[] =>
  sites
    .map((site) => ({ id: site.id, name: site.name, problems: problemsOfSite(ports, site) }))
    .filter(({ problems }) => problems.length > 0)

function problemsOfSite(
  { webhooks, index: { failedSaves, unsignedSaves } }: SiteProblemPorts,
  site: SiteSummary,
): readonly OpenSiteProblem[] {
  const problems: OpenSiteProblem[] = []
  // The sample's secret was never typed and only lives as long as the app.
  const hasSecretLost = (site.secret === 'missing' || site.secret === 'changed') && !isSampleSite(site)
  if (!site.isConfirmed) problems.push({ kind: 'unconfirmed' })
  else if (hasSecretLost) problems.push({ kind: 'secret', secret: site.secret })
  if (unreachableFields(site).length > 0) problems.push({ kind: 'unreachable' })
  const { count } = failedSaves.of(site.id)
  if (count > 0) problems.push({ kind: 'failed_saves', count, isStorageAtFault: failedSaves.isStorageAtFault(site.id) })
  const cause = webhooks.problem(site.id)
  if (cause !== null) problems.push({ kind: 'webhook', cause })
  const unsigned = unsignedSaves.of(site.id)
  if (unsigned !== null) problems.push({ kind: 'unsigned_saves', ...unsigned })
  return problems
}

/** Counts what the Health screen shows as lines that need a person. */
export async function openProblems(ports: OpenProblemPorts): Promise<OpenProblems> {
  const sites = await ports.sites.list()
  const affected = sitesWithProblems(ports, sites)
    .map(({ id, problems }) => ({ id, problems: problems.filter(({ kind }) => kind !== 'unsigned_saves') }))
    .filter(({ problems }) => problems.length > 0)
  const all: readonly (Urgency | null)[] = [
    libraryUrgency(ports),
    listenerUrgency(ports),
    teamUrgency(ports),
    keychainUrgency(sites),
    (await diskSpace(ports.folder)).isLow ? 'warning' : null,
    (ports.care.lastCheck()?.problems ?? 0) > 0 ? 'danger' : null,
    ...affected.flatMap(({ problems }) =>
      problems.map(({ kind }): Urgency => (kind === 'failed_saves' || kind === 'unreachable' ? 'danger' : 'warning')),
    ),
  ]
  const found = all.filter((urgency) => urgency !== null)
  return {
    count: found.length,
    urgency: found.includes('danger') ? 'danger' : (found[0] ?? null),
    sites: affected.map(({ id }) => id),
  }
}

function libraryUrgency({ library }: OpenProblemPorts): Urgency | null {
  const { state, facts, isRebuildRequested } = describeLibrary(library)
  if (state !== 'whole' && !isRebuildRequested) return 'danger'
  const isLost = facts.some((fact) => fact.kind !== 'rebuilt' || fact.lostEntries > 0)
  return isLost || isRebuildRequested ? 'warning' : null
}

/** A listener without a library is a consequence of the library's state, which counts already. */
function listenerUrgency({ library, listener }: OpenProblemPorts): Urgency | null {
  const state = listener.state()
  if (storageFault(state) !== null) return 'danger'
  return state.kind === 'failed' && library.state === 'whole' ? 'danger' : null
}

function teamUrgency({ teamState }: OpenProblemPorts): Urgency | null {
  const team = teamState.view()
  if (team === null) return null
  if (team.syncState.kind === 'stopped') return 'danger'
  const { kind } = team.syncState
  return kind === 'offline' || kind === 'refusing' || team.isReadOnly || team.undecided > 0 ? 'warning' : null
}

/** A keychain that no site needs yet is no problem. */
function keychainUrgency(sites: readonly SiteSummary[]): Urgency | null {
  if (sites.some(({ secret }) => secret === 'unavailable')) return 'danger'
  return sites.some(({ secret }) => secret === 'locked') ? 'warning' : null
}
