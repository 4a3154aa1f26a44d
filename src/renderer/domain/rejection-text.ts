import { useTranslation } from 'react-i18next'

import type { Verdict } from '../../contract/ipc/versions.ts'
import type { VersionFacts } from '../../contract/domain/version.ts'
import { useFormats } from '../i18n/formats.ts'

type Judged = Pick<VersionFacts, 'versionCdate' | 'receivedAt'> & { readonly verdict: Verdict | null }

/** What is copied of a rejection for whoever saved the version: what was rejected, and why. */
export function useRejectionText(): (title: string, version: Judged) => string {
  const { t } = useTranslation('review')
  const formats = useFormats()
  return (title, { versionCdate, receivedAt, verdict }) => {
    const told = t('forAuthor', { title, saved: formats.exact(versionCdate ?? receivedAt) })
    return verdict === null || verdict.note === '' ? told : `${told}\n\n${verdict.note}`
  }
}
