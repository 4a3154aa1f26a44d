import type { Diagnosis, SignatureFinding } from '@galley/library/records'
import type { TFunction } from 'i18next'
import { Check, Stethoscope } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Lines } from '../../ui/lines.tsx'
import { Status } from '../../ui/status.tsx'
import words from '../../ui/words.module.css'
import styles from './callback-parts.module.css'

type Words = TFunction<'doctor'>

export function Findings({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { t } = useTranslation('doctor')
  return (
    <section aria-label={t('found')} aria-live="polite">
      <Status
        tone={diagnosis.wouldPass ? 'success' : 'danger'}
        word={diagnosis.wouldPass ? t('wouldPass') : t('wouldNotPass')}
      />
      <Lines>
        {diagnosis.findings.map((finding) => (
          <li key={finding.code} className={styles.finding}>
            {finding.code === 'matches' ? <Check size={16} aria-hidden /> : <Stethoscope size={16} aria-hidden />}
            <span>{findingText(finding, t)}</span>
          </li>
        ))}
      </Lines>
      <p className={words.meta}>{t('tested')}</p>
    </section>
  )
}

/** One finding as a sentence with its fix. */
export function findingText(finding: SignatureFinding, t: Words): string {
  switch (finding.code) {
    case 'not_a_signature':
      return t('findings.not_a_signature', { length: finding.length })
    case 'other_site_secret':
    case 'secret_unavailable':
      return t(`findings.${finding.code}`, { site: finding.site })
    case 'changed_url':
      return t('findings.changed_url', { how: t(`urlChanges.${finding.how}`) })
    case 'changed_material':
      return t('findings.changed_material', { how: t(`idChanges.${finding.how}`) })
    case 'other_header':
      return t('findings.other_header', { header: finding.header })
    case 'matches':
    case 'no_signature':
    case 'blanks':
    case 'upper_case':
    case 'several':
    case 'open_signature':
    case 'wrong_secret':
    case 'not_kept':
      return t(`findings.${finding.code}`)
  }
}
