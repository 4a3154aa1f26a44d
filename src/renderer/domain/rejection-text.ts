import type { Verdict, VersionFacts } from '@galley/library/records'
import { versionMoment } from '@galley/library/records'
import type { i18n } from 'i18next'

import type { MessageFacts } from '../../ipc/comments.ts'
import { formatsIn } from '../i18n/formats.ts'

type RejectedVersion = Pick<VersionFacts, 'number' | 'versionCdate' | 'receivedAt'> & {
  readonly verdict: Verdict | null
}

/** A message for the author of a rejected version. */
export interface AuthorMessage {
  /** What was rejected, in one line. */
  readonly subject: string
  /** Why: the reason, the commented places, and where to edit and to see the page. */
  readonly body: string
}

/** What is sent or copied for the author of a rejected version. */
export function authorMessage(
  texts: i18n,
  title: string,
  version: RejectedVersion,
  { quotes, editLink, appLink }: Pick<MessageFacts, 'quotes' | 'editLink' | 'appLink'>,
): AuthorMessage {
  const t = texts.getFixedT(texts.language, 'review')
  const saved = formatsIn(texts.language).exact(versionMoment(version))
  const subject = t('forAuthor', { title, number: version.number, saved })
  const reason = version.verdict?.reason ?? ''
  const places = quotes.map(({ quote, texts: said }) => [t('quoted', { quote }), ...said].join('\n'))
  const links = [...(editLink === null ? [] : [t('editHere', { link: editLink })]), t('showHere', { link: appLink })]
  return { subject, body: [reason, ...places, links.join('\n')].filter((part) => part !== '').join('\n\n') }
}

/** A message as one text, to be copied. */
export const asText = ({ subject, body }: AuthorMessage): string => (body === '' ? subject : `${subject}\n\n${body}`)
