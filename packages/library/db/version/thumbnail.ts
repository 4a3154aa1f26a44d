import type { Sha256 } from '@galley/wire'

import type { StoredFile } from '../../views/materials.ts'

/** Formats that the window can show. */
const extensions = ['png', 'jpg', 'jpeg', 'webp', 'avif', 'gif', 'svg']

/** SQL: the first image of a version as `hash/name`, ordered by name. `version` is an expression for its row id. */
export const thumbnailSql = (version: string): string =>
  `(SELECT sha256 || '/' || name FROM media WHERE version = ${version}
      AND (${extensions.map((extension) => `name LIKE '%.${extension}'`).join(' OR ')}) ORDER BY name LIMIT 1)`

export function thumbnailOf(text: string | null): StoredFile | null {
  if (text === null) return null
  const at = text.indexOf('/')
  return { sha256: text.slice(0, at) as Sha256, name: text.slice(at + 1) }
}
