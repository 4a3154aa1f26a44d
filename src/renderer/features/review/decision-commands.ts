import type { ReviewRow } from '@galley/library/records'
import { ok } from '@galley/wire'
import type { StoreApi } from 'zustand'

import { catchUnexpected } from '../../bridge/answers.ts'
import type { Command } from '../../commands/commands.ts'
import { addUndoable, succeeded } from '../../domain/call-toasts.ts'
import type { Services } from '../../domain/services.ts'
import { waitingPage } from './inbox.ts'
import type { InboxState, WaitingPage } from './inbox.ts'
import type { DeskState } from './store.ts'

/** Approves all pages of the inbox that have no visible change. A toast says how many, and takes all of them back. */
async function approveUnchanged(
  services: Services,
  inbox: StoreApi<InboxState>,
  desk: StoreApi<DeskState>,
): Promise<void> {
  const { bridge, texts } = services
  const t = texts.getFixedT(texts.language, 'desk')
  const { site, isAllSites } = inbox.getState()
  const approved = await catchUnexpected<readonly ReviewRow[]>(
    bridge.call('approveUnchanged', { site: isAllSites ? null : site }).then(ok),
  )
  if (!succeeded(services, t('decideFailed'), approved) || !approved.ok) return
  const pages = approved.value.map(waitingPage)
  desk.getState().decidedTogether(pages)
  void inbox.getState().load()
  addUndoable(services, t('together.done', { count: pages.length }), () => void takeBack(services, pages, desk))
}

async function takeBack(services: Services, pages: readonly WaitingPage[], desk: StoreApi<DeskState>): Promise<void> {
  const { bridge, texts } = services
  for (const [site, of] of Map.groupBy(pages, (page) => page.site)) {
    const versions = of.map(({ materialId, after: versionId }) => ({ materialId, versionId }))
    const wanted = { record: 'version', site, of: versions, set: { verdict: null } } as const
    const done = await catchUnexpected(bridge.call('setFields', wanted))
    if (succeeded(services, texts.t('desk:decideFailed'), done)) desk.getState().decidedTogether(of, true)
  }
}

/** Commands that approve more than the page that is read, or do more with it. */
export const decisionCommands = (
  services: Services,
  inbox: StoreApi<InboxState>,
  desk: StoreApi<DeskState>,
  isShown: () => boolean,
): readonly Command[] => [
  {
    id: 'review.publish',
    group: 'review',
    title: (t) => t('desk:commands.publish'),
    isOnce: true,
    isAvailable: isShown,
    run: () => void desk.getState().approve({ isPublishing: true }),
  },
  {
    id: 'review.approveUnchanged',
    group: 'review',
    title: (t) => t('desk:commands.approveUnchanged'),
    isOnce: true,
    isAvailable: () => isShown() && inbox.getState().unchanged > 0,
    run: () => void approveUnchanged(services, inbox, desk),
  },
]
