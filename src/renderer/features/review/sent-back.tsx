import { Copy, ExternalLink, Mail } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { useBridge } from '../../bridge/use-bridge.ts'
import { backToWriter } from '../../domain/back-to-writer.ts'
import { titleOf } from '../../domain/material-title.ts'
import { Button } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import styles from './desk.module.css'
import { useDesk } from './store.ts'

/** After a request for changes: the ways to tell the writer. A webhook of the site tells by itself. */
export function SentBack() {
  const { t, i18n: texts } = useTranslation(['desk', 'review'])
  const bridge = useBridge()
  const toasts = useToasts()
  const last = useDesk(({ decided }) => decided.at(-1))
  if (last?.decision !== 'changes_requested') return null
  const { row } = last
  const { site, materialId, after: versionId, number, savedBy } = row
  const writer = backToWriter({ bridge, texts, toasts })
  const version = { site, materialId, versionId }
  return (
    <div className={styles.sentBack} role="status">
      <p>{t('backTo', { title: titleOf(row), number })}</p>
      <div className={styles.sendBar}>
        {savedBy !== null && (
          <Button icon={Mail} onClick={() => void writer.mail(version, titleOf(row))}>
            {t('review:mailAuthor')}
          </Button>
        )}
        <Button icon={Copy} onClick={() => void writer.copy(version, titleOf(row))}>
          {t('review:copyForAuthor')}
        </Button>
        <Button icon={ExternalLink} onClick={() => void bridge.call('openInEditor', { site, materialId })}>
          {t('review:openInEditor')}
        </Button>
      </div>
    </div>
  )
}
