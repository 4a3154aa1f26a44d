import { closeSync, openSync } from 'node:fs'
import type { BlobLocation } from '@galley/platform'
import { isSystemError } from '@galley/platform'

import { readFully } from './byte-window.ts'
import { decodeUtf8 } from './entry-name.ts'
import type { Warnings } from './warnings.ts'

/**
 * The state of an earlier version. Only needed for files missing from the archive, so if the library has lost it, further
 * saves must not fail: adds a warning and returns an empty text.
 */
export function readEarlierText(at: BlobLocation, warnings: Warnings): string {
  try {
    const fd = openSync(at.path, 'r')
    try {
      const bytes = Buffer.alloc(at.sizeBytes)
      const text = readFully(fd, bytes, at.offset) === at.sizeBytes ? decodeUtf8(bytes) : null
      if (text !== null) return text
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
  warnings.add('state_unread')
  return ''
}
