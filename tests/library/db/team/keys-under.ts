import type { SharedBucket } from '../../../../packages/team/bucket/shared-bucket.ts'

/** All keys of a bucket that begin so. */
export async function keysUnder(bucket: SharedBucket, under: string): Promise<readonly string[]> {
  const found: string[] = []
  for (;;) {
    const answer = await bucket.listAfter(under, found.at(-1) ?? '')
    if (answer.kind !== 'listed') throw new Error(`The bucket was not listed: ${answer.kind}`)
    if (answer.keys.length === 0) return found
    found.push(...answer.keys)
  }
}
