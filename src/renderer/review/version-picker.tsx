import { versionMoment } from '@galley/library/records'
import { useTranslation } from 'react-i18next'

import type { ReviewVersion } from '../../ipc/review-window.ts'
import { useFormats } from '../i18n/formats.ts'
import { useNow } from '../ui/now.ts'
import styles from './version-picker.module.css'

interface Props {
  readonly label: string
  readonly versions: readonly ReviewVersion[]
  /** The range of indexes in `versions` that can be chosen. */
  readonly first: number
  readonly last: number
  /** An index in `versions`. */
  readonly chosen: number
  readonly onChoose: (at: number) => void
}

/** Picks a version. A native select, since page content cannot float above the pages under review. */
export function VersionPicker({ label, versions, first, last, chosen, onChoose }: Props) {
  const { t } = useTranslation(['review', 'versions'])
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
      {versions.slice(first, last + 1).map((version, at) => (
        <option key={version.versionId} value={first + at}>
          {[
            t('versions:number', { number: version.number }),
            formats.dayAndMinute(versionMoment(version), nowMs),
            version.userEmail ?? t('unknownWho'),
            ...(version.current ? [t('current')] : []),
            ...(version.verdict === null ? [] : [t(`verdicts.${version.verdict.decision}`)]),
          ].join(' · ')}
        </option>
      ))}
    </select>
  )
}
