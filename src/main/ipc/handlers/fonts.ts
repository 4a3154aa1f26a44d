import type { FontJobs, IndexWith, Tasks, Vault } from '@galley/library'
import { fontUsage, snapshotDetail, snapshotDifference } from '@galley/library'
import type { Answer, SnapshotDetail } from '@galley/library/records'
import type { Background } from '@galley/platform'
import type { SiteId, SnapshotId } from '@galley/wire'
import { fail, ok } from '@galley/wire'

import type { HandlersOf } from '../../../ipc/call.ts'
import type { fontCalls } from '../../../ipc/fonts.ts'
import { unknownSite } from './unknown.ts'

export interface FontPorts {
  readonly background: Background<FontJobs>
  readonly index: IndexWith<'pageFonts'>
  readonly vault: Vault
  readonly tasks: Tasks
}

/** Calls about the font sets of a site. */
export function fontHandlers(ports: FontPorts): HandlersOf<typeof fontCalls> {
  const { index, vault, tasks } = ports

  async function detail(site: SiteId, snapshotId: SnapshotId): Promise<Answer<SnapshotDetail>> {
    const found = index.sites.find(site)
    if (!found) return unknownSite(site)
    const snapshot = await snapshotDetail(index, vault, found, snapshotId)
    return snapshot ? ok(snapshot) : fail({ code: 'unknown_snapshot', snapshotId })
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
