import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createSavedViews } from '../../stores/saved-views.ts'
import { provideCallbackActions, registerCallbackCommands } from './actions.ts'
import type { CallbackActions } from './actions.ts'
import { createActivity, provideActivity } from './activity-store.ts'
import type { BatchStore } from './batch-store.ts'
import {
  createDetail,
  createDiagnosis,
  createReplay,
  provideCallbackDetail,
  provideDiagnosis,
  provideReplay,
} from './detail-store.ts'
import { createSharing, provideSharing } from './sharing.ts'
import { createCallbacks, provideCallbackList, provideCallbackRows, provideCallbackViews } from './store.ts'
import { createDoctor, provideDoctor } from './values-dialog.tsx'

/** The stores of the callbacks screen: the live list, the selected callback, and actions on them. */
export function createCallbackStores(services: Services, batch: BatchStore): readonly Provide[] {
  const { navigation } = services
  const bridge = whileShown(services.bridge, navigation, ['delivery'])
  const { list, callbackRows } = createCallbacks(bridge)
  const activity = createActivity(bridge, list)
  const views = createSavedViews(bridge, 'callbacks')
  const detail = createDetail(bridge)
  const sharing = createSharing(bridge)
  const doctor = createDoctor()
  // Callbacks that are no longer listed must not be replayed with those that are.
  list.subscribe(({ question }, before) => question !== before.question && batch.getState().select(new Set()))
  followOn(navigation, ['delivery'], (site, { callbackId }) => {
    if (site !== list.getState().site) batch.getState().select(new Set())
    list.getState().show(site)
    views.getState().show(site)
    list.getState().hold(callbackId)
    if (callbackId !== null) detail.getState().show(callbackId)
  })
  const actions: CallbackActions = {
    replay: batch.getState().askFor,
    copyReport: (id) => void sharing.getState().copyReport(id),
    exportList: (format) => void sharing.getState().exportList(list.getState().filters(), format),
    openDoctor: doctor.getState().open,
  }
  registerCallbackCommands(services, list, actions)
  return [
    provideCallbackList(list),
    provideCallbackRows(callbackRows),
    provideActivity(activity),
    provideCallbackViews(views),
    provideCallbackDetail(detail),
    provideDiagnosis(createDiagnosis(bridge)),
    provideReplay(createReplay(bridge)),
    provideSharing(sharing),
    provideDoctor(doctor),
    provideCallbackActions(actions),
  ]
}
