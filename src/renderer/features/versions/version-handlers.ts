import type { VersionRow, WantedVerdict } from '@galley/library/records'
import type { CallbackId, VersionId } from '@galley/wire'
import type { StoreApi } from 'zustand'

import type { MarksToSet } from '../../../ipc/fields.ts'
import { backToWriter } from '../../domain/back-to-writer.ts'
import { addUndoable, succeeded } from '../../domain/call-toasts.ts'
import { copyText } from '../../domain/copy-text.ts'
import type { Services } from '../../domain/services.ts'
import type { VersionsState } from './store.ts'

/** Actions on a version; the provider reports their failures. */
export interface VersionHandlers {
  /** Resolves to whether the marks were saved. */
  readonly mark: (version: VersionRow, marks: MarksToSet) => Promise<boolean>
  /** Opens a review window, with another version beside it if given. */
  readonly review: (versionId: VersionId, compareWith: string | null) => void
  /** Starts an export of this version. */
  readonly exportIt: (version: Pick<VersionRow, 'site' | 'materialId' | 'versionId'>) => void
  /** Sets or clears the decision. What was before can be restored, with its reason. Resolves to whether it was saved. */
  readonly decide: (version: VersionRow, verdict: WantedVerdict) => Promise<boolean>
  /** Asks for a reason; a given one can be edited. */
  readonly reject: (version: VersionRow) => void
  readonly showCallback: (callbackId: CallbackId) => void
  readonly copy: (text: string) => void
  /** Copies a rejection with its reason, to send to the version's author. */
  readonly copyRejection: (version: VersionRow) => void
  /** Starts a mail to the person who saved the version. */
  readonly mailAuthor: (version: VersionRow) => void
}

/** Actions on a version. `titleOf`: the title of its material. */
export function createVersionHandlers(
  services: Services,
  versions: StoreApi<VersionsState>,
  { exportIt, titleOf }: Pick<VersionHandlers, 'exportIt'> & { readonly titleOf: (version: VersionRow) => string },
): VersionHandlers {
  const { navigation, texts } = services
  const { mark, review, setRejecting } = versions.getState()
  const change: VersionHandlers['mark'] = async (version, marks) =>
    succeeded(services, texts.t('versions:changeFailed'), await mark(version, marks))
  const writer = backToWriter(services)
  return {
    mark: change,
    decide: async (version, verdict) => {
      const { verdict: before } = version
      if (before?.decision === 'approved' && verdict?.decision === 'approved') return true
      const isDone = await change(version, { verdict })
      if (isDone) {
        addUndoable(services, texts.t(`versions:decided.${verdict?.decision ?? 'cleared'}`), () => {
          void change(version, { verdict: before && { decision: before.decision, reason: before.reason } })
        })
      }
      return isDone
    },
    review: (versionId, compareWith) =>
      void review(versionId, compareWith).then((opened) =>
        succeeded(services, texts.t('versions:reviewFailed'), opened),
      ),
    exportIt,
    reject: setRejecting,
    showCallback: (callbackId) => navigation.getState().go({ screen: 'delivery', callbackId }),
    copy: (text) => copyText(services, text),
    copyRejection: (version) => void writer.copy(version, titleOf(version)),
    mailAuthor: (version) => void writer.mail(version, titleOf(version)),
  }
}
