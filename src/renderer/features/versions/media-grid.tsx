import { Copy, File } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { storedFileUrl } from '../../../ipc/stored-file-url.ts'
import type { VersionMedia } from '../../../ipc/versions.ts'
import { useFormats } from '../../i18n/formats.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import styles from './media-grid.module.css'

interface Props {
  readonly media: readonly VersionMedia[]
  readonly onCopy: (text: string) => void
}

/** The media files of a version: images as thumbnails, others by kind. */
export function MediaGrid({ media, onCopy }: Props) {
  const { t } = useTranslation('versions')
  const formats = useFormats()
  if (media.length === 0) return <Message text={t('noMedia')} />
  return (
    <ul className={styles.media} aria-label={t('mediaLabel')}>
      {media.map((file) => (
        <li key={file.url} className={styles.file}>
          <span className={styles.picture} aria-hidden>
            {file.isImage ? (
              <img alt="" loading="lazy" decoding="async" src={storedFileUrl(file)} />
            ) : (
              <File size={24} />
            )}
          </span>
          <span className={styles.fileName} title={file.name}>
            {file.name}
          </span>
          <span className={styles.fileMeta}>
            {t('mediaMeta', { size: formats.size(file.sizeBytes), type: file.type })}
            {file.isEarlier && <span className={styles.fileMeta}>{t('earlierSave')}</span>}
          </span>
          <Button look="quiet" icon={Copy} isIconOnly className={styles.copy} onClick={() => onCopy(file.url)}>
            {t('copyAddress', { name: file.name })}
          </Button>
        </li>
      ))}
    </ul>
  )
}
