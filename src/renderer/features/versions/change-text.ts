import type { VersionChange } from '@galley/library/records'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

import { useFormats } from '../../i18n/formats.ts'

/** Smaller differences are noise: a page's attributes alone vary this much. */
const noiseBytes = 1000

/** Both alphabets capitalise with a single character. */
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Words the change from the previous version: size and changed parts. `size` is null for the first version. */
export function useChangeText(): (change: VersionChange | null) => { size: string | null; parts: string } {
  const { t } = useTranslation('versions')
  const formats = useFormats()
  return useCallback(
    (change) => {
      if (change === null) return { size: null, parts: t('change.first') }
      const { bytes, mediaAdded, mediaChanged, mediaRemoved } = change
      const amount = formats.size(Math.abs(bytes))
      const size =
        Math.abs(bytes) < noiseBytes
          ? t('change.sameSize')
          : bytes > 0
            ? t('change.more', { size: amount })
            : t('change.less', { size: amount })
      const media = mediaAdded + mediaChanged + mediaRemoved
      const parts = [
        ...(change.pageChanged ? [t('change.page')] : []),
        ...(change.stateChanged && !change.pageChanged ? [t('change.state')] : []),
        ...(media > 0 ? [t('mediaFiles', { count: media })] : []),
      ]
      return { size, parts: parts.length === 0 ? t('change.nothing') : capitalised(formats.list(parts)) }
    },
    [t, formats],
  )
}
