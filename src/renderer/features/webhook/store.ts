import type { Answer, CallProblem, WebhookDelivery, WebhookSetting } from '@galley/library/records'
import { ok } from '@galley/wire'
import type { SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { catchUnexpected, viewOf, viewOfAnswer } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'

/** What a person sets. `secret` null keeps the stored one, or makes one for a new URL. */
export interface WebhookForm extends Pick<WebhookSetting, 'url' | 'events' | 'namesInWebhook'> {
  readonly secret: string | null
}

export interface WebhookState {
  readonly site: SiteId | null
  readonly setting: View<WebhookSetting>
  readonly deliveries: View<readonly WebhookDelivery[]>
  /** The secret that was just made, shown until another site or screen is. */
  readonly newSecret: string | null
  /** Why the last action failed. */
  readonly problem: CallProblem | null
  /** How the last test ended. */
  readonly test: WebhookDelivery | 'sending' | null
  /** Whether the callbacks screen lists messages instead of callbacks. */
  readonly isListed: boolean
  show(site: SiteId | null): void
  load(): Promise<void>
  list(isListed: boolean): void
  save(form: WebhookForm): Promise<Answer<unknown>>
  sendTest(): Promise<void>
  confirmAddress(address: string): Promise<void>
  resend(id: string): Promise<void>
}

const untouched = { newSecret: null, problem: null, test: null } as const

/** What the current site tells to its webhook. */
function createWebhook(bridge: Bridge): StoreApi<WebhookState> {
  const webhook = createStore<WebhookState>()((set, get) => {
    /** Runs an action on the current site, and reads everything again. */
    async function act<Value>(action: (site: SiteId) => Promise<Answer<Value>>): Promise<Answer<Value> | null> {
      const { site } = get()
      if (site === null) return null
      const done = await catchUnexpected(action(site))
      if (get().site !== site) return done
      set({ problem: done.ok ? null : done.failure })
      await get().load()
      return done
    }
    return {
      site: null,
      setting: { kind: 'loading' },
      deliveries: { kind: 'loading' },
      ...untouched,
      isListed: false,
      show: (site) => {
        if (site === get().site) return void get().load()
        set({ site, setting: { kind: 'loading' }, deliveries: { kind: 'loading' }, ...untouched })
        void get().load()
      },
      load: oneAtATime(async () => {
        const { site } = get()
        if (site === null) return
        const [setting, deliveries] = await Promise.all([
          catchUnexpected(bridge.call('readWebhook', { site })).then(viewOfAnswer),
          viewOf(bridge.call('webhookDeliveries', { site })),
        ])
        if (get().site === site) set({ setting, deliveries })
      }),
      list: (isListed) => set({ isListed }),
      save: async (form) => {
        const done = await act((site) => bridge.call('setWebhook', { site, ...form, events: [...form.events] }))
        // The form says what is wrong.
        set({ problem: null, test: null })
        if (done?.ok) set({ newSecret: done.value.newSecret })
        return done ?? ok(null)
      },
      sendTest: async () => {
        set({ test: 'sending' })
        const done = await act((site) => bridge.call('testWebhook', { site }))
        set({ test: done?.ok ? done.value : null })
      },
      confirmAddress: async (address) => {
        await act((site) => bridge.call('confirmWebhookAddress', { site, address }))
        set({ test: null })
      },
      resend: async (id) => void (await act(() => bridge.call('resendDelivery', { id }))),
    }
  })
  onChange(bridge, ['sites', 'callbacks', 'rules'], () => void webhook.getState().load())
  return webhook
}

const [useWebhook, provideWebhook] = createStoreContext<WebhookState>('webhook')
export { useWebhook }

/** The webhook of the site that Settings and Delivery show. */
export function createWebhookStores({ bridge, navigation }: Services): readonly Provide[] {
  const webhook = createWebhook(whileShown(bridge, navigation, ['settings', 'delivery']))
  followOn(navigation, ['settings', 'delivery'], (site, view) => {
    // A chosen callback is shown among the callbacks.
    if (view.screen === 'delivery' && view.callbackId !== null) webhook.getState().list(false)
    webhook.getState().show(site)
  })
  return [provideWebhook(webhook)]
}
