import type { Answer } from '@galley/library/records'
import type { CallbackId, SiteId } from '@galley/wire'
import { ok } from '@galley/wire'

import { catchUnexpected } from '../bridge/answers.ts'
import { keep } from '../ui/kept.ts'
import { succeeded } from './call-toasts.ts'
import type { Services } from './services.ts'

/** Actions on saves that were not stored, from every screen that shows them. */
export interface SaveProblemActions {
  /** Shows what the signature doctor says of a callback. */
  readonly checkSignature: (callbackId: CallbackId, site?: SiteId) => void
  readonly dismissUnsigned: (site: SiteId) => void
  /** Makes the header in which a callback was signed rightly that of its site. */
  readonly adoptHeader: (callbackId: CallbackId) => void
  readonly dismissGaps: () => void
}

export function createSaveProblemActions(services: Services): SaveProblemActions {
  const { bridge, navigation, texts, toasts } = services
  const isDone = async (ending: Promise<Answer<unknown>>): Promise<boolean> =>
    succeeded(services, texts.t('materials:done.failed'), await catchUnexpected(ending))
  return {
    checkSignature: (callbackId, site) => {
      keep('callbacks:tab', 'signature')
      navigation.getState().go({ screen: 'delivery', callbackId }, site)
    },
    dismissUnsigned: (site) => void isDone(bridge.call('dismissUnsignedSaves', { site }).then(ok)),
    adoptHeader: (id) =>
      void isDone(bridge.call('adoptSignatureHeader', { id })).then(
        (isAdopted) => isAdopted && toasts.add({ title: texts.t('materials:done.headerAdopted') }),
      ),
    dismissGaps: () => void isDone(bridge.call('forgetSleepGaps', undefined).then(ok)),
  }
}
