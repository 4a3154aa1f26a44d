import { createHash } from 'node:crypto'
import type { BlobLocation } from '@galley/platform'
import { readBlob } from '@galley/platform'
import type { Result, Sha256 } from '@galley/wire'
import { fail, ok } from '@galley/wire'

/** A stored text: its location and expected hash. */
export interface StoredText extends BlobLocation {
  readonly sha256: Sha256
}

/** A stored text that is missing or damaged. */
export interface DamagedText {
  readonly code: 'damaged_blob'
  readonly name: string
  readonly sha256: Sha256
  readonly problem: 'altered' | 'unreadable'
}

/** Reads a stored page and checks it against its hash. */
export async function readStoredText(place: StoredText): Promise<Result<string, DamagedText>> {
  const { sha256 } = place
  // Missing, truncated or unreadable: those who read it treat all of them the same.
  const bytes = await readBlob(place).catch(() => null)
  if (bytes === null) return fail({ code: 'damaged_blob', name: 'vms_html.html', sha256, problem: 'unreadable' })
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    return fail({ code: 'damaged_blob', name: 'vms_html.html', sha256, problem: 'altered' })
  return ok(new TextDecoder().decode(bytes))
}
