import type { MediaChange } from '@galley/library/records'
import { Copy, Eye, File, Film } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { VersionMedia } from '../../ipc/media.ts'
import { storedFileUrl } from '../../ipc/stored-file-url.ts'
import { useCopy } from '../domain/copy-text.ts'
import { FailedRead } from '../domain/means.tsx'
import { useFormats } from '../i18n/formats.ts'
import { Button } from '../ui/button.tsx'
import { Message } from '../ui/message.tsx'
import { useRowMenu } from '../ui/row-menu.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { itemsOf } from './item.ts'
import { Lightbox } from './lightbox.tsx'
import { mediumOf } from './loaded.ts'
import styles from './media-grid.module.css'
import type { MediaOf } from './use-media.ts'
import { useMedia } from './use-media.ts'

/** The media files of a version, beside those of another one: pictures as thumbnails, others by kind. */
export function MediaGrid({ of }: { readonly of: MediaOf }) {
  const { t } = useTranslation('media')
  const view = useMedia(of)
  const [shown, setShown] = useState<string | null>(null)
  if (view.kind === 'loading') return <Skeleton rows={4} />
  if (view.kind === 'failed') return <FailedRead problem={view.problem} onRetry={view.retry} />
  if (view.rows.length === 0) return <Message text={t(of.before === null ? 'none' : 'nonePair')} />
  const visible = view.rows.filter(({ before, after }) => mediumOf((after ?? before)?.type ?? '') !== null)
  return (
    <>
      <ul className={styles.media} aria-label={t('label')}>
        {view.rows.map((row) => (
          <Tile
            key={row.name}
            row={row}
            isPair={of.before !== null}
            onShow={visible.includes(row) ? () => setShown(row.name) : null}
          />
        ))}
      </ul>
      {shown !== null && (
        <Lightbox
          items={itemsOf(visible)}
          start={visible.findIndex(({ name }) => name === shown)}
          onClose={() => setShown(null)}
        />
      )}
    </>
  )
}

interface TileProps {
  readonly row: MediaChange<VersionMedia>
  readonly isPair: boolean
  readonly onShow: (() => void) | null
}

function Tile({ row: { name, kind, before, after }, isPair, onShow }: TileProps) {
  const { t } = useTranslation('media')
  const formats = useFormats()
  const copy = useCopy()
  const file = after ?? before
  const copying = { key: 'copy', label: t('copyAddress', { name }), icon: Copy, onSelect: () => copy(file?.url ?? '') }
  const { row, menu } = useRowMenu([
    ...(onShow === null ? [] : [{ key: 'show', label: t('show', { name }), icon: Eye, onSelect: onShow }]),
    copying,
  ])
  if (file === null) return null
  const medium = mediumOf(file.type)
  const Icon = medium === 'film' ? Film : File
  const size =
    kind === 'changed' && before !== null
      ? t('sizes', { before: formats.size(before.sizeBytes), after: formats.size(file.sizeBytes) })
      : formats.size(file.sizeBytes)
  const picture =
    medium === 'picture' ? (
      <img alt="" loading="lazy" decoding="async" src={storedFileUrl(file)} />
    ) : (
      <Icon size={24} aria-hidden />
    )
  return (
    <li className={styles.file} data-kind={isPair ? kind : undefined} {...row}>
      {onShow === null ? (
        <span className={styles.picture}>{picture}</span>
      ) : (
        <button type="button" className={styles.picture} aria-label={t('show', { name })} onClick={onShow}>
          {picture}
        </button>
      )}
      <span className={styles.fileName} title={name}>
        {name}
      </span>
      {isPair && <span className={styles.kind}>{t(`kinds.${kind}`)}</span>}
      <span className={styles.fileMeta}>
        {t('meta', { size, type: file.type })}
        {file.isEarlier && <span className={styles.fileMeta}>{t('earlierSave')}</span>}
      </span>
      <Button look="quiet" icon={copying.icon} isIconOnly className={styles.copy} onClick={copying.onSelect}>
        {copying.label}
      </Button>
      {menu}
    </li>
  )
}
