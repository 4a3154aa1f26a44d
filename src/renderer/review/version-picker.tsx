import { useTranslation } from 'react-i18next'

import type { ReviewVersion } from '../../contract/review.ts'
import { useFormats } from '../i18n/formats.ts'
import { useNow } from '../ui/now.ts'
import styles from './version-picker.module.css'

interface Props {
  readonly label: string
  readonly versions: readonly ReviewVersion[]
  /** A place in `versions`. */
  readonly chosen: number
  readonly onChoose: (at: number) => void
}

/** One version out of all. The list is the system's own: a page of ours could not float above the pages under review. */
export function VersionPicker({ label, versions, chosen, onChoose }: Props) {
  const { t } = useTranslation('review')
  const formats = useFormats()
  const nowMs = useNow()
  return (
    <select
      className={styles.picker}
      aria-label={label}
      title={label}
      value={chosen}
      onChange={(event) => onChoose(Number(event.target.value))}
    >
      {versions.map((version, at) => (
        <option key={version.versionId} value={at}>
          {[
            formats.dayAndMinute(version.versionCdate ?? version.receivedAt, nowMs),
            version.userEmail ?? t('unknownWho'),
            ...(version.current ? [t('current')] : []),
          ].join(' · ')}
        </option>
      ))}
    </select>
  )
}
