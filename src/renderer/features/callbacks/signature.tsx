import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useDiagnosis } from './detail-store.ts'
import { Findings } from './findings.tsx'

interface Props {
  readonly id: string
  readonly onDoctor: () => void
}

/** The signature of a callback, checked against every secret of the library. */
export function Signature({ id, onDoctor }: Props) {
  const { t } = useTranslation(['doctor', 'callbacks'])
  const { view, show, retry } = useDiagnosis()
  const isOutdated = useDiagnosis((state) => state.id !== id)
  useEffect(() => show(id), [show, id])
  if (isOutdated || view.kind === 'loading') return <Skeleton rows={3} />
  if (view.kind === 'failed') return <Failed text={t('failed')} onRetry={retry} />
  return (
    <PaneBody>
      <Findings diagnosis={view.items} />
      <div>
        <Button onClick={onDoctor}>{t('callbacks:actions.doctor')}</Button>
      </div>
    </PaneBody>
  )
}
