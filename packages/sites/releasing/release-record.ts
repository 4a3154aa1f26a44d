import { compare, isBundlePath } from '@galley/library/records'
import { parsedJson } from '@galley/wire'
import { z } from 'zod'

import type { TargetNote } from '../bundle/manifest.ts'
import { isOfNewerGalley } from '../bundle/manifest.ts'

// The texts that list the files of a release, in the library and on the target.

/** A file of a release. `stored`: its bytes are among the library's files; all others are kept with the release. */
const releaseFile = z.object({
  path: z.string().refine(isBundlePath),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  stored: z.boolean(),
})
export type ReleaseFile = Readonly<z.output<typeof releaseFile>>

const record = z.object({ format: z.literal('galley-release'), version: z.literal(1), files: z.array(releaseFile) })

/** The list of the files of a release, in the order of writing. Its hash identifies the release. */
export const recordText = (files: readonly ReleaseFile[]): string =>
  JSON.stringify({
    format: 'galley-release',
    version: 1,
    files: files.map(({ path, bytes, sha256, stored }) => ({ path, bytes, sha256, stored })),
  } satisfies z.input<typeof record>)

/** The files of such a list; null if the text is not one. */
export function readRecord(text: string): readonly ReleaseFile[] | null {
  const read = record.safeParse(parsedJson(text))
  return read.success ? read.data.files : null
}

const target = { format: 'galley-target', version: 1 } as const

const held = z.object({
  format: z.literal(target.format),
  version: z.literal(target.version),
  /** Whether texts are stored compressed on the target. */
  compressed: z.boolean(),
  owner: z.string(),
  release: z.string(),
  pages: z.array(z.string()).readonly(),
  files: z.array(
    releaseFile.omit({ stored: true }).extend({
      /** The size of the stored form, if it differs. */
      storedBytes: z.int().min(0).optional(),
      /** The MD5 of the stored form, if the storage reports it. */
      md5: z.string().optional(),
    }),
  ),
})

/** The record, on a target, of the files that Galley put there: no ids of materials and no times, since anyone may be able to read it. */
export type HeldFiles = Readonly<Pick<z.output<typeof held>, 'compressed' | 'files' | keyof TargetNote>>
export type HeldFile = Readonly<HeldFiles['files'][number]>

export const heldText = ({ compressed, owner, release, pages, files }: HeldFiles): string =>
  JSON.stringify({
    ...target,
    compressed,
    owner,
    release,
    pages,
    files: files
      .toSorted((a, b) => compare(a.path, b.path))
      .map(({ path, bytes, sha256, storedBytes, md5 }) => ({ path, bytes, sha256, storedBytes, md5 })),
  } satisfies z.input<typeof held>)

/** `newer`: a later version of Galley wrote the text; null if Galley cannot have written it. */
export function readHeld(text: string): HeldFiles | 'newer' | null {
  const found = parsedJson(text)
  if (isOfNewerGalley(found, target)) return 'newer'
  const read = held.safeParse(found)
  return read.success ? read.data : null
}
