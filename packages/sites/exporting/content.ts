import type { ExportFailure } from '@galley/library/records'
import type { Result } from '@galley/wire'
import { ok } from '@galley/wire'

import type { ManifestFile } from '../bundle/manifest.ts'
import type { VerifiedBlob } from './verified-blob.ts'

// Separate from bundle.ts, so that publishing loads the theme engine and the page parser only to make a bundle.

/** A file of a bundle and where its bytes come from. Sizes are in bytes. */
export type BundleFile = ManifestFile & { readonly name: string } & (
    | { readonly kind: 'blob'; open(): VerifiedBlob }
    | { readonly kind: 'text'; text(): Promise<Result<string, ExportFailure>> }
  )

/** The bytes of a file. Once they have all been read, `failure` says whether they were the right ones. */
export async function contentOf(file: BundleFile): Promise<Result<VerifiedBlob, ExportFailure>> {
  if (file.kind === 'blob') return ok(file.open())
  const text = await file.text()
  return text.ok ? ok({ chunks: bytesOf(text.value), failure: () => null }) : text
}

const pieceChars = 256 * 1024

/** A text in pieces whose bytes need little memory. No piece ends within a character. */
export function* piecesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length;) {
    const end = start + pieceChars
    const isWithin = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
    const next = isWithin ? end + 1 : end
    yield text.slice(start, next)
    start = next
  }
}

/** A text or a buffer as a stream of bytes. */
export async function* bytesOf(content: string | Buffer): AsyncIterable<Buffer> {
  if (typeof content !== 'string') yield content
  else for (const piece of piecesOf(content)) yield Buffer.from(piece)
}
