/**
 * One forger in its own process: sends callbacks with invalid signatures as fast as they are refused. Arguments: address,
 * count, seed, location of an archive at the service, a signature that is valid for it and another material. Prints one line
 * of JSON at the end: how often each status occurred, and how often `rc` 1.
 */

import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'

import { randomFrom } from '../../tests/support/random.ts'

const connections = 150
const [url = '', count = '0', seed = '0', contentUrl = '', otherSignature = ''] = process.argv.slice(2)
const random = randomFrom(Number(seed))
const { origin, pathname } = new URL(url)
const pool = new Pool(origin, { connections, pipelining: 1 })
const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

const forms: readonly (() => string | readonly string[] | null)[] = [
  () => null,
  () => '',
  () => hex(32),
  () => flipped(otherSignature),
  () => otherSignature,
  () => otherSignature.toUpperCase(),
  () => `${otherSignature}zz`,
  () => `sha256=${otherSignature}`,
  () => Buffer.from(otherSignature, 'hex').toString('base64'),
  () => [otherSignature, hex(32)],
  () => hex(31),
  () => '0'.repeat(64),
]

/** Flips one bit of a valid signature. */
function flipped(signature: string): string {
  const bytes = Buffer.from(signature, 'hex')
  const at = Math.floor(random() * 256)
  bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7))
  return bytes.toString('hex')
}

const statuses: Record<string, number> = {}
let accepted = 0
let left = Number(count)

async function forge(): Promise<void> {
  while (left > 0) {
    left -= 1
    const signature = forms[Math.floor(random() * forms.length)]?.() ?? null
    const body = JSON.stringify({
      event: 'article_saved',
      material_id: `post-${Math.floor(random() * 1000)}`,
      content_url: random() < 0.5 ? contentUrl : `${contentUrl}-${hex(4)}`,
      metadata: { user_email: 'editor@example.test', version_id: hex(8) },
      debug: false,
    })
    const headers = {
      'content-type': 'application/json',
      ...(signature !== null && { 'x-service-signature': signature }),
    }
    try {
      const answer = await pool.request({
        method: 'POST',
        path: pathname,
        headers: headers as Record<string, string>,
        body,
      })
      const text = await answer.body.text()
      statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1
      if ((JSON.parse(text) as { rc?: number }).rc !== 0) accepted += 1
    } catch {
      // The listener closes a connection after 100 requests. A request sent at that moment gets no answer.
      statuses['cut off'] = (statuses['cut off'] ?? 0) + 1
    }
  }
}

await Promise.all(Array.from({ length: connections }, forge))
await pool.close()
console.log(JSON.stringify({ statuses, accepted }))
