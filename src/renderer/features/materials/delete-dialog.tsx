import type { PruneReport } from '@galley/library/records'
import type { MaterialId } from '@galley/wire'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { CallProblem } from '../../../ipc/calls.ts'
import { FormDialog } from '../../domain/form-dialog.tsx'
import { titleOf } from '../../domain/material-title.ts'
import { SafetyBar } from '../../domain/safety-copy.tsx'
import { useFormats } from '../../i18n/formats.ts'
import { Group } from '../../ui/group.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useChosenMaterial } from './chosen-material.ts'
import { useMaterials } from './store.ts'

interface Props {
  readonly materialIds: readonly MaterialId[]
  readonly onDeleted: (report: PruneReport) => void
}

/** Shows what a deletion would remove and offers a backup; main asks for confirmation. */
export function DeleteDialog({ materialIds, onDeleted }: Props) {
  const { t } = useTranslation('materials')
  const formats = useFormats()
  const { planDeletion, remove, setDialog } = useMaterials()
  const [plan, setPlan] = useState<PruneReport | null>(null)
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const [isRunning, setRunning] = useState(false)
  const count = materialIds.length
  const chosen = useChosenMaterial(({ view }) => (view.kind === 'ready' ? view.items : null))
  const only = count === 1 && chosen?.materialId === materialIds[0] ? chosen : null
  useEffect(() => {
    const planning = planDeletion(materialIds)
    let isShown = true
    const show = async (): Promise<void> => {
      const ended = await planning.ended
      if (!isShown) return
      if (ended.ok) setPlan(ended.value)
      else setProblem(ended.failure)
    }
    void show()
    return () => {
      isShown = false
      planning.cancel()
    }
  }, [planDeletion, materialIds])
  const close = (): void => setDialog({ kind: 'none' })
  const run = async (): Promise<void> => {
    setProblem(null)
    setRunning(true)
    const ended = await remove(materialIds)
    setRunning(false)
    if (ended.ok) onDeleted(ended.value)
    // Declining the confirmation is not an error; the plan stays.
    else if (ended.failure.code !== 'cancelled' || ended.failure.state === 'midway') setProblem(ended.failure)
  }
  return (
    <FormDialog
      title={t('deleting.title', { count })}
      submit={t(isRunning ? 'deleting.running' : 'deleting.submit')}
      isReady={plan !== null}
      isDanger
      form={{ problem, isSaving: isRunning, isChanged: false, submit: run }}
      onClose={close}
    >
      <Group>
        {only !== null && <strong>{titleOf(only)}</strong>}
        {plan === null ? (
          problem === null && <Skeleton rows={2} />
        ) : (
          <p role="status">{t('deleting.plan', { count: plan.versions, size: formats.size(plan.bytes) })}</p>
        )}
        <p>{t('deleting.text')}</p>
        <SafetyBar />
      </Group>
    </FormDialog>
  )
}
