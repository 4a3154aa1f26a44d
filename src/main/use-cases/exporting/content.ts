import type { ExportFailure } from '../../../contract/domain/bundle/failure.ts'
import type { Result } from '../../../contract/result.ts'
import { ok } from '../../../contract/result.ts'
import type { BundleFile } from './bundle.ts'
import type { VerifiedBlob } from './verified-blob.ts'

// Apart from bundle.ts, so that publishing does not load the theme engine and the page parser before a bundle is made.

/** The bytes of a file, and why they are not the right ones once they have all gone by. */
export async function contentOf(file: BundleFile): Promise<Result<VerifiedBlob, ExportFailure>> {
  if (file.kind === 'blob') return ok(file.open())
  const text = await file.text()
  return text.ok ? ok({ chunks: bytesOf(text.value), failure: () => null }) : text
}

/** A text, or bytes in memory, as the bytes of a file. */
export async function* bytesOf(content: string | Buffer): AsyncIterable<Buffer> {
  yield typeof content === 'string' ? Buffer.from(content) : content
}
