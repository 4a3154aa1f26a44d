import type { SitePageRow } from '../../../contract/ipc/pages.ts'
import type { Tone } from '../../ui/status.tsx'

/** The effect of the next publication on a page. */
export type ReaderView =
  | { readonly kind: 'archived' | 'draft' | 'noVersion' }
  | { readonly kind: 'scheduled'; readonly at: string }
  /** `isOlder`: newer versions stay in the library. */
  | { readonly kind: 'published' | 'hidden'; readonly number: number; readonly isOlder: boolean }

/** Applies the rules of an export in their order: archive, state, schedule, version. */
export function readerView(page: SitePageRow, nowMs: number): ReaderView {
  const { archivedAt, settings, outgoingNumber: number, outgoingVersionId, currentVersionId } = page
  if (archivedAt !== null) return { kind: 'archived' }
  if (settings.state === 'draft') return { kind: 'draft' }
  if (settings.notBefore !== null && Date.parse(settings.notBefore) > nowMs)
    return { kind: 'scheduled', at: settings.notBefore }
  if (number === null) return { kind: 'noVersion' }
  return { kind: settings.state, number, isOlder: outgoingVersionId !== currentVersionId }
}

const tones: Readonly<Record<ReaderView['kind'], Tone>> = {
  archived: 'neutral',
  draft: 'neutral',
  noVersion: 'warning',
  scheduled: 'busy',
  published: 'success',
  hidden: 'busy',
}

/** The colour of that. Green is for pages that have been published, not for those that the next publication adds. */
export function readerTone(page: SitePageRow, nowMs: number): Tone {
  const { kind } = readerView(page, nowMs)
  return kind === 'published' && page.settings.published === null ? 'busy' : tones[kind]
}
