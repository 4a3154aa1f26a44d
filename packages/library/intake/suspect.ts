import { parseContentUrl } from '@galley/wire'
import type { CallbackFailure } from '@galley/wire'

import type { Index } from '../db/library-index.ts'
import type { Site } from '../records/site.ts'
import type { LogEntry } from './admission.ts'

/**
 * Whether a callback without a valid signature looks like a save that the service signed with another secret, or in another
 * header: it has a signature, and names a known material with a live session and a download at the site's own service.
 */
function looksLikeSave(
  index: Pick<Index, 'materials'>,
  site: Site,
  failure: CallbackFailure,
  { kind, materialId, contentUrl, trace }: LogEntry,
  nowMs: number,
): boolean {
  if (failure.kind !== 'invalid_signature' || kind === 'site_fonts_updated' || !materialId || !contentUrl) return false
  if (trace?.form.isHex !== true && failure.signedIn === undefined) return false
  if (parseContentUrl(contentUrl, site) === null) return false
  const session = index.materials.find(site.id, materialId)?.session ?? null
  return session !== null && Date.parse(session.keptUntil) > nowMs
}

interface Ports {
  readonly index: Pick<Index, 'materials'>
  readonly now: () => Date
  readonly log: (line: string) => void
}

/** Marks refused callbacks that look like saves, and writes a signature in another header to the log, once for each header. */
export function createNoteSuspect({ index, now, log }: Ports) {
  const noted = new Set<string>()
  return (site: Site, failure: CallbackFailure, entry: LogEntry): LogEntry => {
    if (failure.kind === 'invalid_signature' && failure.signedIn !== undefined) {
      const { signedIn } = failure
      const isNew = !noted.has(`${site.id} ${signedIn}`)
      noted.add(`${site.id} ${signedIn}`)
      if (isNew)
        log(`a callback of site ${site.id} is signed in the header ${signedIn}, not in ${site.signatureHeader}`)
    }
    return looksLikeSave(index, site, failure, entry, now().getTime()) ? { ...entry, isSuspect: true } : entry
  }
}
