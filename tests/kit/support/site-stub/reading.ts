import type { IncomingMessage } from 'node:http'

export const isJsonObject = (text: string): boolean => parsed(Buffer.from(text)) !== null

export function parsed(body: Buffer): Record<string, unknown> | null {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    // Not UTF-8, not JSON, or nested without end.
    return null
  }
}

export function decoded(bytes: Buffer | undefined): string | null {
  if (bytes === undefined) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // Not UTF-8.
    return null
  }
}

/** The body, or null when it is too large. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > 4 * 1024 * 1024) return null
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}
