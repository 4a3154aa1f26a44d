import type { SitePageRow } from '../../../contract/ipc/pages.ts'

/** What the next publication does with a page. */
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
