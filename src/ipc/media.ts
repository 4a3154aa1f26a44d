import type { Answer, MediaChange, MediaFile } from '@galley/library/records'
import type { Sha256 } from '@galley/wire'
import { isSha256 } from '@galley/wire'
import { z } from 'zod'

import { asks, inMaterial, versionId } from './call.ts'

/** A media file of a version, with what its page says of it. */
export interface VersionMedia extends MediaFile {
  /** The content type that the listener sends, for example `image/png`. */
  readonly type: string
  /** True if an earlier save contained the file, and this version refers to its public URL. */
  readonly isEarlier: boolean
  /** The alternative texts that the page has for it, each once. */
  readonly alts: readonly string[]
}

/** The first frame of a film. */
export interface Film {
  readonly url: string
  /** Of the film, in pixels. */
  readonly width: number
  readonly height: number
  /** Null: it does not say how long it is. */
  readonly seconds: number | null
}

const sha256: z.ZodType<Sha256> = z.string().refine(isSha256)

/** A version and the one that it is compared with; null: it is shown alone. */
export const versionPair = inMaterial.extend({ before: versionId.nullable(), after: versionId })

export const mediaCalls = {
  /** The media files of a version, beside those of an earlier one. Changed ones first. */
  versionMedia: asks(versionPair).gives<Answer<readonly MediaChange<VersionMedia>[]>>(),
}

export const filmCalls = {
  /** The first frame and the length of a stored film; null: it cannot be decoded here. */
  filmFrame: asks(z.strictObject({ sha256, name: z.string().max(1_000) })).gives<Film | null>(),
}

/** The URL of the first frame of a film, as it was read last. */
export const filmFrameUrl = (sha256: Sha256): string => `app://galley/film-frame?${sha256}`

/** The hash in such a URL; null for any other URL. */
export const readFilmFrameUrl = (url: string): string | null =>
  /^app:\/\/galley\/film-frame\?([0-9a-f]{64})$/.exec(url)?.[1] ?? null
