import type { Verdict, VersionFacts, VersionRef } from '@galley/library/records'
import { versionMoment } from '@galley/library/records'
import type { i18n } from 'i18next'

import type { MessageFacts } from '../../ipc/comments.ts'
import { catchUnexpected } from '../bridge/answers.ts'
import { formatsIn } from '../i18n/formats.ts'
import { succeeded } from './call-toasts.ts'
import { copyText } from './copy-text.ts'
import type { Services } from './services.ts'

type RejectedVersion = Pick<VersionFacts, 'number' | 'versionCdate' | 'receivedAt'> & {
  readonly verdict: Verdict | null
}

/** A message for the author of a rejected version. */
interface AuthorMessage {
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

/** Sends a version back to who saved it: as a mail, or as a text to be sent some other way. */
export function backToWriter(services: Pick<Services, 'bridge' | 'texts' | 'toasts'>) {
  const { bridge, texts, toasts } = services
  async function messageFor({ site, materialId, versionId }: VersionRef, title: string) {
    const facts = await catchUnexpected(bridge.call('messageFacts', { site, materialId, versionId }))
    if (!succeeded(services, texts.t('review:messageFailed'), facts) || !facts.ok) return null
    return { to: facts.value.to, message: authorMessage(texts, title, facts.value.version, facts.value) }
  }
  return {
    async copy(version: VersionRef, title: string): Promise<void> {
      const made = await messageFor(version, title)
      if (made !== null) copyText(services, asText(made.message))
    },
    /** Opens a draft to who saved it; without an address there is none. */
    async mail(version: VersionRef, title: string): Promise<void> {
      const made = await messageFor(version, title)
      if (made === null || made.to === null) return
      const { site, materialId } = version
      const { to, message } = made
      const sent = await catchUnexpected(bridge.call('mailAuthor', { site, materialId, to, ...message }))
      if (sent.ok) toasts.add({ title: texts.t(`review:mailed.${sent.value}`, { to }) })
      else succeeded(services, texts.t('review:mailFailed'), sent)
    },
  }
}
