import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../contract/ipc/calls.ts'
import type { Result } from '../../../contract/result.ts'
import { titleOf } from '../../domain/material-title.ts'
import { orProblem } from '../../bridge/answers.ts'
import { useProblemText } from '../../i18n/problem-text.ts'
import { useRejectionText } from '../../domain/rejection-text.ts'
import type { MaterialWays } from '../../features/materials/material-menu.ts'
import type { VersionWays } from '../../features/versions/version-ways.ts'
import type { Services } from '../../domain/services.ts'
import { addFailure } from '../../ui/toasts.tsx'
import { useCopy } from './copy-text.ts'
import type { MaterialParts } from './material-stores.ts'

/** What a version leads to. */
export function useVersionWays(services: Services, { versions, exportStart, useChosen }: MaterialParts): VersionWays {
  const { t } = useTranslation('versions')
  const succeeded = useOutcome(services)
  const copy = useCopy(services)
  const rejectionText = useRejectionText()
  const { mark, review, setRejecting } = versions.useVersions.getState()
  return {
    mark: async ({ versionId }, marks) => succeeded(t('changeFailed'), await mark(versionId, marks)),
    review: (versionId, compareWith) =>
      void review(versionId, compareWith).then((opened) => succeeded(t('reviewFailed'), opened)),
    exportIt: ({ materialId, versionId }) => exportStart.withVersion(materialId, versionId),
    reject: setRejecting,
    showCallback: (callbackId) => services.useNavigation.getState().go({ screen: 'callbacks', callbackId }),
    copy,
    copyRejection(version) {
      const { view } = useChosen.getState()
      const material = view.kind === 'ready' && view.items !== null ? view.items : { ...version, title: '' }
      copy(rejectionText(titleOf(material), version))
    },
  }
}

/** What a material leads to. */
export function useMaterialWays(services: Services, { materials, exportStart }: MaterialParts): MaterialWays {
  const { t } = useTranslation(['materials', 'versions'])
  const succeeded = useOutcome(services)
  const { bridge, useNavigation, toasts } = services
  async function archive(materialIds: readonly string[], isArchived: boolean): Promise<void> {
    const done = await materials.useMaterials.getState().archive(materialIds, isArchived)
    if (!succeeded(t('done.failed'), done)) return
    const count = materialIds.length
    const id: string = toasts.add({
      title: t(isArchived ? 'done.archived' : 'done.unarchived', { count }),
      actionProps: {
        children: t('done.undo'),
        onClick: () => {
          toasts.close(id)
          void archive(materialIds, !isArchived)
        },
      },
    })
  }
  return {
    archive,
    show: ({ materialId }) => useNavigation.getState().go({ screen: 'material', materialId, versionId: null }),
    review: ({ site, materialId, currentVersionId: versionId }) => {
      if (versionId === null) return
      void orProblem(bridge.call('openReview', { site, materialId, versionId, compareWith: null })).then((opened) =>
        succeeded(t('versions:reviewFailed'), opened),
      )
    },
    allow: async (materialIds) => {
      const done = await materials.useMaterials.getState().refuse(materialIds, null)
      if (succeeded(t('done.failed'), done)) toasts.add({ title: t('done.allowed') })
    },
    exportThem: exportStart.withMaterials,
    copy: useCopy(services),
  }
}

/** Tells by a toast what did not work; says whether it worked. */
function useOutcome({ toasts }: Services): (failed: string, outcome: Result<unknown, CallProblem>) => boolean {
  const problemText = useProblemText()
  return (failed, outcome) => {
    if (!outcome.ok) addFailure(toasts, { title: failed, description: problemText(outcome.failure) })
    return outcome.ok
  }
}
