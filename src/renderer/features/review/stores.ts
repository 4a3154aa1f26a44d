import { followTask } from '../../bridge/follow-task.ts'
import type { Command } from '../../commands/commands.ts'
import type { Provide } from '../../context/provided.ts'
import { addUndoable, succeeded } from '../../domain/call-toasts.ts'
import { titleOf } from '../../domain/material-title.ts'
import type { Services } from '../../domain/services.ts'
import { formatsIn } from '../../i18n/formats.ts'
import { currentView, followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { approveUnchanged } from './approve-unchanged.ts'
import { createInbox, provideInbox, provideInboxRows } from './inbox.ts'
import { createDesk, provideDesk } from './store.ts'
import type { DeskState } from './store.ts'

export interface ReviewServices {
  /** Asks for the name of the person here if it is not known; resolves to whether there is one. */
  readonly named: () => Promise<boolean>
}

/** The review desk and its commands. */
export function createReviewStores(services: Services & ReviewServices): {
  readonly provided: readonly Provide[]
  readonly load: () => Promise<void>
} {
  const { navigation, commands, texts, toasts } = services
  const bridge = whileShown(services.bridge, navigation, ['review'])
  const { inbox, rows } = createInbox(bridge)
  const desk = createDesk({
    bridge,
    rows,
    named: services.named,
    clock: () => performance.now(),
    publish(page) {
      const { site, materialId, after: versionId } = page
      const t = texts.getFixedT(texts.language, 'desk')
      const title = titleOf(page)
      const started = services.bridge.call('startPublishPage', { site, materialId, versionId })
      void followTask<'publish'>(services.bridge, started).ended.then((done) => {
        if (!succeeded(services, t('publish.failed', { title }), done) || !done.ok) return
        toasts.add({ title: t('publish.done', { title, target: done.value.target }) })
      })
    },
    lastDecision() {
      const { site, isAllSites } = inbox.getState()
      return bridge.call('lastDecision', { site: isAllSites ? null : site }).catch(() => null)
    },
    tookBack(page, given, again) {
      const t = texts.getFixedT(texts.language, 'desk')
      if (page === null || given === null) toasts.add({ title: t('tookBack.none') })
      else {
        const when = formatsIn(texts.language).dayAndMinute(given.at)
        addUndoable(services, t(`tookBack.${given.decision}`, { title: titleOf(page), when }), again)
      }
    },
    failed: (failure) => succeeded(services, texts.t('desk:decideFailed'), { ok: false, failure }),
  })
  followOn(navigation, ['review'], (site) => {
    if (site !== null) inbox.getState().show(site)
  })
  const isShown = (): boolean => currentView(navigation.getState()).screen === 'review'
  const command = (
    id: Command['id'],
    title: Command['title'],
    run: (state: DeskState) => unknown,
    isOnce = true,
  ): Command => ({ id, group: 'review', title, isOnce, isAvailable: isShown, run: () => void run(desk.getState()) })
  commands.getState().register([
    command(
      'review.nextChange',
      (t) => t('desk:commands.nextChange'),
      ({ stepChange }) => stepChange(1),
      false,
    ),
    command(
      'review.previousChange',
      (t) => t('desk:commands.previousChange'),
      ({ stepChange }) => stepChange(-1),
      false,
    ),
    command(
      'review.nextPage',
      (t) => t('desk:commands.nextPage'),
      ({ step }) => step(1),
    ),
    command(
      'review.previousPage',
      (t) => t('desk:commands.previousPage'),
      ({ step }) => step(-1),
    ),
    command(
      'review.hold',
      (t) => t('desk:commands.hold'),
      ({ hold }) => hold(true),
    ),
    command(
      'review.approve',
      (t) => t('desk:commands.approve'),
      ({ approve }) => approve(),
    ),
    command(
      'review.publish',
      (t) => t('desk:commands.publish'),
      ({ approve }) => approve({ isPublishing: true }),
    ),
    {
      ...command(
        'review.approveUnchanged',
        (t) => t('desk:commands.approveUnchanged'),
        () => approveUnchanged(services, inbox, desk),
      ),
      isAvailable: () => isShown() && inbox.getState().unchanged > 0,
    },
    command(
      'review.reject',
      (t) => t('desk:commands.request'),
      ({ ask }) => ask(true),
    ),
    command(
      'review.undo',
      (t) => t('desk:commands.undo'),
      ({ undo }) => undo(),
    ),
    command(
      'review.now',
      (t) => t('desk:commands.now'),
      ({ setSide }) => setSide('now'),
    ),
    command(
      'review.both',
      (t) => t('desk:commands.both'),
      ({ setSide }) => setSide('both'),
    ),
  ])
  return {
    provided: [provideDesk(desk), provideInbox(inbox), provideInboxRows(rows)],
    load: () => inbox.getState().load(),
  }
}
