import type { SiteId, SnapshotId } from '../../../../contract/ids.ts'
import type { Handlers } from '../../../../contract/ipc/calls.ts'
import type { FontCalls, SnapshotDetail } from '../../../../contract/ipc/fonts.ts'
import type { Answer } from '../../../../contract/ipc/problem.ts'
import { fail, ok } from '../../../../contract/result.ts'
import type { Index } from '../../../library/db/library-index.ts'
import type { Vault } from '../../../library/vault/vault.ts'
import type { Tasks } from '../../../platform/tasks/tasks.ts'
import type { Background } from '../../../platform/threads/background.ts'
import type { FontJobs } from '../../../use-cases/fonts/read-families.ts'
import { snapshotDetail, snapshotDifference } from '../../../use-cases/fonts/snapshot-detail.ts'
import { fontUsage } from '../../../use-cases/fonts/usage.ts'
import { unknownSite } from './unknown.ts'

export interface FontPorts {
  readonly background: Background<FontJobs>
  readonly index: Index
  readonly vault: Vault
  readonly tasks: Tasks
}

/** Calls about the font sets of a site. */
export function fontHandlers(ports: FontPorts): Pick<Handlers, keyof FontCalls> {
  const { index, vault, tasks } = ports

  async function detail(site: SiteId, snapshotId: SnapshotId): Promise<Answer<SnapshotDetail>> {
    const found = index.sites.find(site)
    if (!found) return unknownSite(site)
    const snapshot = await snapshotDetail(index, vault, found, snapshotId)
    return snapshot ? ok(snapshot) : fail({ code: 'unknown_snapshot', facts: { snapshotId } })
  }

  return {
    querySnapshots: ({ site }) => index.snapshots.rows(site),
    inspectSnapshot: ({ site, snapshotId }) => detail(site, snapshotId),
    async compareSnapshots({ site, before, after }) {
      const [old, now] = [await detail(site, before), await detail(site, after)]
      if (!old.ok) return old
      return now.ok ? ok(snapshotDifference(old.value, now.value)) : now
    },
    async startFontUsage({ site, snapshotId }) {
      const snapshot = await detail(site, snapshotId)
      if (!snapshot.ok) return snapshot
      const task = tasks.start('fontUsage', { site, snapshotId }, async (context) =>
        ok(await fontUsage(ports, snapshot.value, context)),
      )
      return ok({ task })
    },
  }
}
