import type { VersionRow } from '@galley/library/records'
import { Check, Eye, Pin, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { KeyedButton } from '../../commands/keyed-button.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import type { VersionHandlers } from './version-handlers.ts'
import { useVersionMenu } from './version-menu.ts'
import styles from './versions.module.css'

interface Props {
  readonly version: VersionRow
  readonly handlers: VersionHandlers
}

/** The most frequent actions on a version: review, verdict, export. */
export function VersionBar({ version, handlers }: Props) {
  const { t } = useTranslation('versions')
  const menuOf = useVersionMenu(handlers)
  const { versionId, verdict, pinned } = version
  const isApproved = verdict?.decision === 'approved'
  const isRejected = verdict?.decision === 'changes_requested'
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('actions.title')}>
      <KeyedButton icon={Eye} command="version.review" onClick={() => handlers.review(versionId, null)}>
        {t('actions.review')}
      </KeyedButton>
      <KeyedButton
        icon={Check}
        command="version.approve"
        aria-pressed={isApproved}
        onClick={() => void handlers.decide(version, { decision: 'approved', reason: '' })}
      >
        {isApproved ? t('verdict.approved') : t('actions.approve')}
      </KeyedButton>
      <KeyedButton icon={X} command="version.reject" aria-pressed={isRejected} onClick={() => handlers.reject(version)}>
        {isRejected ? t('verdict.changes_requested') : t('actions.reject')}
      </KeyedButton>
      <div className={styles.end}>
        <KeyedButton
          look="quiet"
          icon={Pin}
          isIconOnly
          command="version.pin"
          aria-pressed={pinned}
          onClick={() => void handlers.mark(version, { pinned: !pinned })}
        >
          {pinned ? t('actions.unpin') : t('actions.pin')}
        </KeyedButton>
        <MoreMenu items={menuOf(version)} />
      </div>
    </div>
  )
}
