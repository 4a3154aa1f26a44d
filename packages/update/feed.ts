import { createPublicKey, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Cause, Result } from '@galley/wire'
import { cause, fail, ok, parsedJson } from '@galley/wire'
import { z } from 'zod'

// The feed is one JSON file beside the packages: `release` is a JSON text, `signature` its Ed25519 signature. What is signed is
// the text as it was sent, so nothing that Galley reads of a release is outside the signature.

/** Parts of a path would lead out of the folder of the feed, or of the downloads. */
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,199}$/)
const news = z.string().max(4_000)

const releaseFile = z.object({
  /** Which app can install it, such as `appimage-x64`. */
  system: z.string().max(40),
  name: fileName,
  size: z
    .int()
    .min(1)
    .max(2 ** 31),
  /** In hexadecimal. */
  sha512: z.string().regex(/^[0-9a-f]{128}$/),
})

const releaseForm = z.object({
  version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/),
  /** ISO 8601 in UTC, of the signature: an earlier one than was seen before is an old feed. */
  date: z.iso.datetime(),
  /** What is new, as plain text. */
  news: z.object({ en: news, ru: news }),
  files: z.array(releaseFile).max(20),
})

export type Release = z.infer<typeof releaseForm>
export type ReleaseFile = Release['files'][number]

const feedForm = z.object({ release: z.string(), signature: z.base64().optional() })

/** So that a signature of something else by the same key is not one of a release. */
const signed = (release: string): Buffer => Buffer.from(`Galley release\n${release}`)

/** The public key of 32 bytes in Base64. Throws if it is none. */
export const feedKey = (key: string): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'base64').toString('base64url') },
    format: 'jwk',
  })

/** The text of a feed. */
export const signFeed = (release: Release, key: KeyObject): string => {
  const text = JSON.stringify(releaseForm.parse(release))
  return `${JSON.stringify({ release: text, signature: sign(null, signed(text), key).toString('base64') })}\n`
}

/** Reads a release that one of these keys has signed. */
export function readFeed(text: string, keys: readonly string[]): Result<Release, Cause> {
  const feed = feedForm.safeParse(parsedJson(text))
  if (!feed.success) return fail(cause('update_unreadable'))
  const { release, signature } = feed.data
  if (signature === undefined) return fail(cause('update_unsigned'))
  const isSigned = keys.some((key) => verify(null, signed(release), feedKey(key), Buffer.from(signature, 'base64')))
  if (!isSigned) return fail(cause('update_signature'))
  const read = releaseForm.safeParse(parsedJson(release))
  return read.success ? ok(read.data) : fail(cause('update_unreadable'))
}

/** More than 0 if the first version is later. */
export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [one, other].map((version) => version.split('.').map((part) => Number.parseInt(part, 10)))
  const at = ours?.findIndex((part, index) => part !== theirs?.[index]) ?? -1
  return at === -1 ? 0 : (ours?.[at] ?? 0) - (theirs?.[at] ?? 0)
}

/** What may follow on a version, after a release of `seenDate` was seen; null: none was. */
export function judged(
  release: Release,
  { version, seenDate }: { readonly version: string; readonly seenDate: string | null },
): Result<Release, Cause> {
  if (compareVersions(release.version, version) < 0) return fail(cause('update_older', { name: release.version }))
  if (seenDate !== null && Date.parse(release.date) < Date.parse(seenDate))
    return fail(cause('update_stale', { name: release.date.slice(0, 10) }))
  return ok(release)
}
