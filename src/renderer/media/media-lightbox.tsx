import type { MediaChange } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import type { VersionMedia } from '../../ipc/media.ts'
import { FailedRead } from '../domain/means.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { Item } from './item.ts'
import { Lightbox } from './lightbox.tsx'
import type { MediaOf } from './use-media.ts'
import { useMedia } from './use-media.ts'

interface Props {
  readonly of: MediaOf
  /** What is shown of these media files. */
  readonly itemsIn: (rows: readonly MediaChange<VersionMedia>[]) => readonly Item[]
  readonly onClose: () => void
}

/** Some files of a version, or of two, in the lightbox. */
export function MediaLightbox({ of, itemsIn, onClose }: Props) {
  const { t } = useTranslation('media')
  const view = useMedia(of)
  if (view.kind === 'failed')
    return (
      <Dialog title={t('title')} onClose={onClose}>
        <FailedRead problem={view.problem} onRetry={view.retry} />
      </Dialog>
    )
  return <Lightbox items={view.kind === 'ready' ? itemsIn(view.rows) : null} onClose={onClose} />
}
