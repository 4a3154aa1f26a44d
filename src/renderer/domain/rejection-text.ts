import type { Verdict, VersionFacts } from '@galley/library/records'
import { versionMoment } from '@galley/library/records'
import type { i18n } from 'i18next'

import { formatsIn } from '../i18n/formats.ts'

type RejectedVersion = Pick<VersionFacts, 'versionCdate' | 'receivedAt'> & { readonly verdict: Verdict | null }

/** The text copied for the author of a rejected version: what was rejected, and why. */
export function rejectionText(texts: i18n, title: string, version: RejectedVersion): string {
  const saved = formatsIn(texts.language).exact(versionMoment(version))
  const text = texts.getFixedT(texts.language, 'review')('forAuthor', { title, saved })
  const { verdict } = version
  return verdict === null || verdict.reason === '' ? text : `${text}\n\n${verdict.reason}`
}
