import { useTranslation } from 'react-i18next'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../ipc/calls.ts'
import type { Offer, UpdateState } from '../../ipc/updates.ts'
import { createStoreContext } from '../context/provided.ts'
import { causeIn } from '../i18n/cause-text.tsx'
import { useFormats } from '../i18n/formats.ts'
import type { Services } from './services.ts'

export interface Updates {
  /** What main last told; null before that. */
  readonly state: UpdateState | null
  load(): Promise<void>
  check(): Promise<void>
  take(): Promise<void>
  skip(): Promise<void>
}

/** What is known of newer versions. `onOffer` is called once for each version that a person may want. */
export function createUpdates(bridge: Bridge, onOffer: (offer: Offer) => void): StoreApi<Updates> {
  const told = new Set<string>()
  const updates = createStore<Updates>()(() => ({
    state: null,
    load: () => ask('updateState'),
    check: () => ask('checkForUpdates'),
    take: () => ask('takeUpdate'),
    skip: () => ask('skipUpdate'),
  }))
  function show(state: UpdateState): void {
    updates.setState({ state })
    const { offer } = state
    if (offer === null || offer.isSkipped || told.has(offer.version)) return
    told.add(offer.version)
    onOffer(offer)
  }
  // A call that main could not answer is in its log.
  const ask = (name: 'updateState' | 'checkForUpdates' | 'takeUpdate' | 'skipUpdate'): Promise<void> =>
    bridge.call(name, undefined).then(show, () => undefined)
  bridge.on('updates', show)
  return updates
}

/** Says once that there is a newer version, and leads to what is new in it. */
export function announceOffer({ toasts, texts, commands }: Services, { version, step, done }: Offer): void {
  const t = texts.getFixedT(texts.language, 'updates')
  const id: string = toasts.add({
    title: t(`steps.${step}`, { version, share: done }),
    timeout: 0,
    actionProps: {
      children: t('show'),
      onClick: () => {
        toasts.close(id)
        commands.getState().run('settings.start')
      },
    },
  })
}

export const [useUpdates, provideUpdates] = createStoreContext<Updates>('updates')

/** One sentence on what is known of newer versions. */
export function useUpdateText(nowMs: number): (state: UpdateState) => string {
  const { t } = useTranslation('updates')
  const { t: causes } = useTranslation('causes')
  const formats = useFormats()
  return ({ version, off, checkedAt, problem, offer }) => {
    if (problem !== null && offer?.step !== 'loading') return t('failed', { version, why: causeIn(problem, causes) })
    if (offer?.isSkipped === true) return t('skipped', { version: offer.version })
    if (offer !== null) return t(`steps.${offer.step}`, { version: offer.version, share: formats.percent(offer.done) })
    if (off !== null) return t(`off.${off}`)
    return checkedAt === null ? t('never') : t('newest', { when: formats.relative(checkedAt, nowMs) })
  }
}
