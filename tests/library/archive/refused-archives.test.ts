import { expect, test } from 'vitest'

import { archiveLimits } from '../../../packages/wire/protocol/archive.ts'
import { hostileContents } from '../../support/archives/hostile-contents.ts'
import { hostileEntries } from '../../support/archives/hostile-entries.ts'
import { hostileStructure } from '../../support/archives/hostile-structure.ts'
import { aSave, page, saveEntries, state } from '../../support/archives/sound.ts'
import { processorMs } from '../../support/processor-time.ts'
import { unpackMedia } from './fixture.ts'
import { expectRefused } from './refused.ts'

// A bomb takes milliseconds, or many times the limit if the reader only notices it at the end.
test.each([...hostileEntries, ...hostileStructure, ...hostileContents])('$name', async ({ bytes, words, kind }) => {
  const archive = bytes()
  expect(await processorMs(() => expectRefused(archive, words, kind))).toBeLessThan(5_000)
})

const sizes = saveEntries().map(({ data = '' }) => data.length)

test.each([
  ['entries', sizes.length, /number of files in it/],
  ['entryBytes', Math.max(...sizes), /the file/],
  ['unpackedBytes', sizes.reduce((sum, size) => sum + size, 0), /unpacked/],
  ['textBytes', Math.max(page.length, state.length), /the file/],
] as const)('a save may be as large as the limit %s', async (name, limit, words) => {
  expect((await unpackMedia(aSave(), { limits: { ...archiveLimits, [name]: limit } })).failure).toBe(null)
  await expectRefused(aSave(), words, 'content_too_large', { ...archiveLimits, [name]: limit - 1 })
})

test('a text over a smaller limit', async () => {
  const limits = { ...archiveLimits, textBytes: 30 }
  await expectRefused(aSave(), /vms_html/, 'content_too_large', limits)
  const metadata = { name: 'metadata_json.json', data: `{"a":"${'x'.repeat(100)}"}` }
  await expectRefused(aSave([metadata]), /metadata_json/, 'content_too_large', { ...archiveLimits, textBytes: 60 })
})
