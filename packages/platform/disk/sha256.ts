import type { Hash } from 'node:crypto'
import { hash as hashOf } from 'node:crypto'
import type { Sha256 } from '@galley/wire'

/** The name of a blob with this content. */
export const sha256Of = (content: Uint8Array | string): Sha256 => hashOf('sha256', content) as Sha256

/** The name of a blob whose content `hash` has seen. */
export const digestOf = (hash: Hash): Sha256 => hash.digest('hex') as Sha256
