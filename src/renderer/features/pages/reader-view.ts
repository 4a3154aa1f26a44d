import type { OnlinePage, SitePageRow } from '@galley/library/records'

import type { Tone } from '../../ui/status.tsx'

/** The effect of the next publication on a page. */
export type ReaderView =
  | { readonly kind: 'archived' | 'draft' | 'noVersion' }
  | { readonly kind: 'scheduled'; readonly at: string }
  | { readonly kind: 'published' | 'hidden'; readonly number: number }

/** Applies the rules of an export in their order: archive, state, schedule, version. */
export function readerView(page: SitePageRow, nowMs: number): ReaderView {
  const { archivedAt, settings, outgoingNumber: number } = page
  if (archivedAt !== null) return { kind: 'archived' }
  if (settings.state === 'draft') return { kind: 'draft' }
  if (settings.notBefore !== null && Date.parse(settings.notBefore) > nowMs)
    return { kind: 'scheduled', at: settings.notBefore }
  if (number === null) return { kind: 'noVersion' }
  return { kind: settings.state, number }
}

const tones: Readonly<Record<ReaderView['kind'], Tone>> = {
  archived: 'neutral',
  draft: 'neutral',
  noVersion: 'warning',
  scheduled: 'busy',
  published: 'busy',
  hidden: 'busy',
}

/** The colour of that: never green, which is for what readers see. */
export const readerTone = (page: SitePageRow, nowMs: number): Tone => tones[readerView(page, nowMs).kind]

/** What readers see now, according to the last release of each target. */
export type OnlineView =
  | { readonly kind: 'never' | 'gone' }
  /** `changed`: the next publication replaces the version of at least one target. */
  | { readonly kind: 'online' | 'changed'; readonly since: string }

export function onlineView({ online, outgoingVersionId, settings }: SitePageRow): OnlineView {
  const isReplaced = ({ versionId }: OnlinePage): boolean =>
    outgoingVersionId !== null && versionId !== outgoingVersionId
  const shown = online.find(isReplaced) ?? online[0]
  if (shown === undefined) return { kind: settings.published === null ? 'never' : 'gone' }
  const since = online.map((page) => page.since).toSorted()[0] ?? shown.since
  return isReplaced(shown) ? { kind: 'changed', since: shown.since } : { kind: 'online', since }
}

export const onlineTones: Readonly<Record<OnlineView['kind'], Tone>> = {
  never: 'neutral',
  gone: 'neutral',
  online: 'success',
  changed: 'warning',
}

/** Why the newest version is not the one that is published; null: it is, or none is. */
export function heldBack(
  page: SitePageRow,
): { readonly why: 'rejected' | 'not_approved' | 'chosen'; readonly number: number } | null {
  const { outgoingVersionId, currentVersionId, currentNumber, currentVerdict, settings } = page
  if (outgoingVersionId === null || outgoingVersionId === currentVersionId || currentNumber === null) return null
  const isChosen = settings.version !== 'latest' && settings.version !== 'approved'
  const why = isChosen ? 'chosen' : currentVerdict === 'changes_requested' ? 'rejected' : 'not_approved'
  return { why, number: currentNumber }
}
