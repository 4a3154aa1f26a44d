import type { SignedCallback } from '../../contract/callback.ts'
import type { CallbackFailure } from '../../contract/failure.ts'
import type { Result } from '../../contract/result.ts'
import { fail, ok } from '../../contract/result.ts'
import type { Site } from '../../contract/site.ts'

/** What the rules may ask the library. */
export interface RuleFacts {
  readonly isKnownMaterial: (site: string, materialId: string) => boolean
}

/**
 * The rules that refuse a save before its archive is downloaded (contract, Errors 4). They decide from what Galley
 * knows itself: the signature covers neither metadata nor event, so nothing in the body may ever permit.
 */
export function checkRules(site: Site, callback: SignedCallback, facts: RuleFacts): Result<null, CallbackFailure> {
  const needsKnownMaterial = callback.event === 'article_saved' && site.unknownMaterials === 'refuse'
  if (needsKnownMaterial && !facts.isKnownMaterial(site.id, callback.materialId)) {
    return fail({
      kind: 'refused',
      reason: 'This material was never opened from Galley. Nothing was saved. Open it there once, then save again.',
    })
  }
  return ok(null)
}
