import type { MaterialId, SiteId, VersionId } from '@galley/wire'

import { catchUnexpected } from '../bridge/answers.ts'
import { succeeded } from './call-toasts.ts'
import { copyText } from './copy-text.ts'
import { asText, authorMessage } from './rejection-text.ts'
import type { Services } from './services.ts'

interface SentVersion {
  readonly site: SiteId
  readonly materialId: MaterialId
  readonly versionId: VersionId
}

/** Sends a version back to who saved it: as a mail, or as a text to be sent some other way. */
export function backToWriter(services: Pick<Services, 'bridge' | 'texts' | 'toasts'>) {
  const { bridge, texts, toasts } = services
  async function messageFor({ site, materialId, versionId }: SentVersion, title: string) {
    const facts = await catchUnexpected(bridge.call('messageFacts', { site, materialId, versionId }))
    if (!succeeded(services, texts.t('review:messageFailed'), facts) || !facts.ok) return null
    return { to: facts.value.to, message: authorMessage(texts, title, facts.value.version, facts.value) }
  }
  return {
    async copy(version: SentVersion, title: string): Promise<void> {
      const made = await messageFor(version, title)
      if (made !== null) copyText(services, asText(made.message))
    },
    /** Opens a draft to who saved it; without an address there is none. */
    async mail(version: SentVersion, title: string): Promise<void> {
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
