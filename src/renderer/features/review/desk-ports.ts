import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { followTask } from '../../bridge/follow-task.ts'
import { addUndoable, succeeded } from '../../domain/call-toasts.ts'
import { titleOf } from '../../domain/material-title.ts'
import type { Services } from '../../domain/services.ts'
import { formatsIn } from '../../i18n/formats.ts'
import type { InboxRows, InboxState, WaitingPage } from './inbox.ts'
import type { DeskPorts } from './store.ts'

export interface ReviewServices {
  /** Asks for the name of the person here if it is not known; resolves to whether there is one. */
  readonly named: () => Promise<boolean>
}

/** What the desk needs of the window: its words, toasts and tasks. */
export function deskPorts(
  services: Services & ReviewServices,
  bridge: Bridge,
  { inbox, rows }: { readonly inbox: StoreApi<InboxState>; readonly rows: InboxRows },
): DeskPorts {
  const { texts, toasts } = services
  const translate = () => texts.getFixedT(texts.language, 'desk')
  async function publish(page: WaitingPage): Promise<void> {
    const { site, materialId, after: versionId } = page
    const t = translate()
    const title = titleOf(page)
    const started = services.bridge.call('startPublishPage', { site, materialId, versionId })
    const done = await followTask<'publish'>(services.bridge, started).ended
    if (!succeeded(services, t('publish.failed', { title }), done) || !done.ok) return
    toasts.add({ title: t('publish.done', { title, target: done.value.target }) })
  }
  return {
    bridge,
    rows,
    inbox,
    named: services.named,
    clock: () => performance.now(),
    publish: (page) => void publish(page),
    async lastDecision() {
      const { site, isAllSites, of } = inbox.getState()
      const last = await bridge.call('lastDecision', { site: isAllSites ? null : site }).catch(() => null)
      return of === null || last?.materialId === of.materialId ? last : null
    },
    tookBack(page, given, again) {
      const t = translate()
      if (page === null || given === null) toasts.add({ title: t('tookBack.none') })
      else {
        const when = formatsIn(texts.language).dayAndMinute(given.at)
        addUndoable(services, t(`tookBack.${given.decision}`, { title: titleOf(page), when }), again)
      }
    },
    failed: (failure) => void succeeded(services, translate()('decideFailed'), { ok: false, failure }),
  }
}
