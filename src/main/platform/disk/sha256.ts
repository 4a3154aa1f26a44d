import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'

import type { Sha256 } from '../../../contract/ids.ts'

/** The name of a blob with this content. */
export const sha256Of = (content: Uint8Array | string): Sha256 => digestOf(createHash('sha256').update(content))

/** The name of a blob whose content `hash` has seen. The only cast from a digest to a name. */
export const digestOf = (hash: Hash): Sha256 => hash.digest('hex') as Sha256
