import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createWebhook, provideWebhook } from './store.ts'

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
