import type { IncomingMessage } from 'node:http'

/** The bytes of a request body, or null as soon as they are more than `limitBytes`; rejects when the sender breaks off. */
export async function readCapped(message: IncomingMessage, limitBytes: number): Promise<Buffer | null> {
  if (Number(message.headers['content-length'] ?? 0) > limitBytes) return null
  const chunks: Buffer[] = []
  let sizeBytes = 0
  // A plain listener, not `for await`: leaving an iterator early would destroy the socket before the answer is sent.
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
    // The listeners live as long as the request: they must not keep the pieces.
    message.once('end', () => resolve(Buffer.concat(chunks.splice(0))))
    message.once('error', reject)
    message.once('close', () => reject(new Error('The request ended before its body did')))
  })
}
