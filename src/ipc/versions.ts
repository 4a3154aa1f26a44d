import type { Answer, JsonLevel, JsonPiece, TextPart, VersionPage, VersionRow } from '@galley/library/records'
import type { CallbackId, Sha256 } from '@galley/wire'
import { z } from 'zod'

import { asks, inMaterial, inVersion, slice } from './call.ts'

/** The details of a version without its long texts, which `readVersionText` returns in parts. */
export interface VersionInspection {
  readonly version: VersionRow
  readonly hashes: {
    readonly html: Sha256
    readonly state: Sha256
    /** The hashes of the archive as received, and of the stored one without callback credentials. */
    readonly archive: Sha256
    readonly kept: Sha256
  }
  readonly htmlBytes: number
  readonly stateBytes: number
  readonly archiveBytes: number
  /** JSON text with likely secrets hidden; null if the archive has no metadata. */
  readonly metadata: string | null
  /** The callback that delivered it. */
  readonly callbackId: CallbackId | null
  readonly exports: readonly { readonly exportId: string; readonly at: string; readonly target: string }[]
}

const statePath: z.ZodType<readonly (string | number)[]> = z.array(z.union([z.string(), z.int().min(0)])).max(300)

export const versionCalls = {
  /** Newest first. */
  queryVersions: asks(inMaterial.extend(slice)).gives<VersionPage>(),
  inspectVersion: asks(inVersion).gives<Answer<VersionInspection>>(),
  readVersionText: asks(
    inVersion.extend({
      part: z.enum(['html', 'state']),
      offset: z.int().min(0),
      maxBytes: z
        .int()
        .min(16)
        .max(1024 * 1024),
    }),
  ).gives<Answer<TextPart>>(),
  /** One level of the editor state, so that a tree of any size can be expanded step by step. */
  readStateLevel: asks(
    inVersion.extend({
      path: statePath,
      offset: z.int().min(0),
      limit: z.int().min(1).max(1000),
    }),
  ).gives<Answer<JsonLevel>>(),
  /** Parts of a value that a level shows truncated. */
  readStateValue: asks(
    inVersion.extend({
      path: statePath,
      offset: z.int().min(0),
      limit: z
        .int()
        .min(1)
        .max(256 * 1024),
    }),
  ).gives<Answer<JsonPiece>>(),
}
