import { sha256Of } from '@galley/platform'

/** The first half of a SHA-256: equal for equal texts only. */
export const shortHashOf = (content: Uint8Array | string): string => sha256Of(content).slice(0, 32)
