import type { IncomingMessage } from 'node:http'

/** Reads a request body; null as soon as it exceeds `limitBytes`. Rejects when the client disconnects. */
export async function readCapped(message: IncomingMessage, limitBytes: number): Promise<Buffer | null> {
  if (Number(message.headers['content-length'] ?? 0) > limitBytes) return null
  const chunks: Buffer[] = []
  let sizeBytes = 0
  // Not `for await`: leaving an iterator early would destroy the socket before the answer is sent.
  return new Promise((resolve, reject) => {
    message.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (sizeBytes <= limitBytes) chunks.push(chunk)
      else {
        message.pause()
        message.removeAllListeners('data')
        resolve(null)
      }
    })
    // The listeners live as long as the request, so they must not keep the chunks.
    message.once('end', () => resolve(Buffer.concat(chunks.splice(0))))
    message.once('error', reject)
    message.once('close', () => reject(new Error('The request ended before its body was complete')))
  })
}
