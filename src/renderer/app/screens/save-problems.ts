import type { CallbackId, Result, SiteId } from '@galley/wire'
import { ok } from '@galley/wire'

import type { CallProblem } from '../../../ipc/calls.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import type { Services } from '../../domain/services.ts'
import { problemIn } from '../../i18n/problem-text.ts'
import { keep } from '../../ui/kept.ts'
import { addFailure } from '../../ui/toasts.tsx'

/** Actions on saves that were not stored, from every screen that shows them. */
export interface SaveProblemActions {
  /** Shows what the signature doctor says of a callback. */
  readonly checkSignature: (callbackId: CallbackId, site?: SiteId) => void
  readonly dismissUnsigned: (site: SiteId) => void
  /** Makes the header in which a callback was signed rightly that of its site. */
  readonly adoptHeader: (callbackId: CallbackId) => void
  readonly dismissGaps: () => void
}

export function createSaveProblemActions({ bridge, navigation, texts, toasts }: Services): SaveProblemActions {
  const report = (ended: Result<unknown, CallProblem>, title: string | null): void => {
    if (!ended.ok)
      addFailure(toasts, { title: texts.t('materials:done.failed'), description: problemIn(ended.failure, texts) })
    else if (title !== null) toasts.add({ title })
  }
  return {
    checkSignature: (callbackId, site) => {
      keep('callbacks:tab', 'signature')
      navigation.getState().go({ screen: 'callbacks', callbackId }, site)
    },
    dismissUnsigned: (site) =>
      void catchUnexpected(bridge.call('dismissUnsignedSaves', { site }).then(ok)).then((ended) => report(ended, null)),
    adoptHeader: (id) =>
      void catchUnexpected(bridge.call('adoptSignatureHeader', { id })).then((ended) =>
        report(ended, texts.t('materials:done.headerAdopted')),
      ),
    dismissGaps: () =>
      void catchUnexpected(bridge.call('forgetSleepGaps', undefined).then(ok)).then((ended) => report(ended, null)),
  }
}
