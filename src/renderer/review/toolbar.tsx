import { Columns2, Keyboard, Monitor, Smartphone, Tablet } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { viewportWidths } from '../../ipc/page-pictures.ts'
import type { Review } from '../../ipc/review-window.ts'
import { Choice } from '../commands/choice.tsx'
import { KeyedButton } from '../commands/keyed-button.tsx'
import { useKeyed } from '../commands/shown-keys.ts'
import { Button } from '../ui/button.tsx'
import type { ReviewBridge } from './bridge.ts'
import type { Device } from './state.ts'
import { useReview } from './store.ts'
import styles from './toolbar.module.css'

const devices = [
  ['phone', Smartphone],
  ['tablet', Tablet],
  ['desktop', Monitor],
] as const satisfies readonly (readonly [Device, unknown])[]

interface Props {
  readonly review: Review
  readonly bridge: ReviewBridge
}

/**
 * The review's title and display options. Options of only some tabs come before those of all, so that nothing moves
 * when tabs change.
 */
export function Toolbar({ review, bridge }: Props) {
  const { t } = useTranslation(['review', 'app'])
  const { against, device, tab, isSynced, isUnified, isSheetShown, ...act } = useReview()
  const keyed = useKeyed()
  const isComparing = against !== null
  const isText = tab === 'text' || tab === 'html' || tab === 'state'
  return (
    <header className={styles.toolbar}>
      <div className={styles.what}>
        <h1 className={styles.title}>{review.title}</h1>
        <p className={styles.where}>
          <span className={styles.site}>{review.siteName}</span>
          {review.environment === 'dev' && <strong className={styles.environment}>{t('dev')}</strong>}
          <span className={styles.id}>{review.materialId}</span>
        </p>
      </div>
      <div className={styles.group}>
        {tab === 'page' && (
          <Choice
            label={t('width')}
            chosen={device}
            onChoose={act.setDevice}
            options={devices.map(([key, icon]) => ({
              key,
              icon,
              title: t(`devices.${key}`, { width: viewportWidths[key] }),
              command: `review.${key}`,
            }))}
          />
        )}
        {isComparing && tab === 'page' && (
          <KeyedButton
            aria-pressed={isSynced}
            command="review.sync"
            look={isSynced ? 'plain' : 'quiet'}
            onClick={act.toggleSync}
          >
            {t('sync')}
          </KeyedButton>
        )}
        {isComparing && isText && (
          <KeyedButton
            aria-pressed={isUnified}
            command="review.unified"
            look={isUnified ? 'plain' : 'quiet'}
            onClick={act.toggleUnified}
          >
            {t('unified')}
          </KeyedButton>
        )}
        <Button
          icon={Columns2}
          look={isComparing ? 'plain' : 'quiet'}
          aria-pressed={isComparing}
          title={t('compareHint')}
          {...keyed(t('compareHint'), 'review.compare')}
          onClick={act.toggleCompare}
        >
          {t('compare')}
        </Button>
        <KeyedButton
          look="quiet"
          icon={Keyboard}
          isIconOnly
          aria-pressed={isSheetShown}
          command="sheet.open"
          onClick={act.toggleSheet}
        >
          {t('app:sheet.title')}
        </KeyedButton>
        <Button look="quiet" onClick={() => void bridge.call('closeReview', undefined)}>
          {t('close')}
        </Button>
      </div>
    </header>
  )
}
