import type { CallbackDetail } from '@galley/library/records'
import { FlaskConical, RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { ProblemLine } from '../../domain/means.tsx'
import { Button } from '../../ui/button.tsx'
import { Bar } from '../../ui/group.tsx'
import { PaneBody } from '../../ui/pane.tsx'
import words from '../../ui/words.module.css'
import { Comparison } from './comparison.tsx'
import { useReplay } from './detail-store.ts'

interface Props {
  readonly detail: CallbackDetail
  /** Asks for confirmation first. */
  readonly onReplay: () => void
}

/** The outcome a callback would have today, and the button that replays it. */
export function Replay({ detail, onReplay }: Props) {
  const { t } = useTranslation(['replay', 'callbacks'])
  const { id, view, run } = useReplay()
  const { callback, canReplay, siteExists } = detail
  if (!canReplay) {
    return (
      <PaneBody>
        <p>{siteExists ? t('impossible.signature') : t('impossible.site')}</p>
      </PaneBody>
    )
  }
  const isThisCallback = id === callback.id
  return (
    <PaneBody>
      <p className={words.meta}>
        {t('intro')} {t('dryRunText')}
      </p>
      <Bar>
        <Button look="primary" icon={FlaskConical} onClick={() => void run(callback.id, true)}>
          {t('callbacks:actions.dryRun')}
        </Button>
        <Button icon={RotateCcw} onClick={onReplay}>
          {t('callbacks:actions.replay')}
        </Button>
      </Bar>
      {isThisCallback && view.kind === 'loading' && <p role="status">{t('running')}</p>}
      {isThisCallback && view.kind === 'failed' && view.problem !== null && (
        <ProblemLine problem={view.problem} role="alert" />
      )}
      {isThisCallback && view.kind === 'ready' && <Comparison comparison={view.items} />}
    </PaneBody>
  )
}
