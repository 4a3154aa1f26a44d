import { test } from 'vitest'

import { archiveLimits } from '../../../../src/contract/protocol/archive.ts'
import { media } from '../../../support/archives/hostile.ts'
import { hostileContents } from '../../../support/archives/hostile-contents.ts'
import { hostileEntries } from '../../../support/archives/hostile-entries.ts'
import { hostileStructure } from '../../../support/archives/hostile-structure.ts'
import { aSave } from '../../../support/archives/sound.ts'
import { expectRefused } from './refused.ts'

// A bomb takes milliseconds, or many times the limit if the reader only notices it at the end.
test.each([...hostileEntries, ...hostileStructure, ...hostileContents])(
  '$name',
  { timeout: 5_000 },
  ({ bytes, words, kind }) => expectRefused(bytes(), words, kind),
)

test('more files than a smaller limit allows', () => {
  const limits = { ...archiveLimits, entries: 3 }
  return expectRefused(aSave([media('vms_media/b')]), /number of files in it/, 'content_too_large', limits)
})

test('a text over a smaller limit', async () => {
  const limits = { ...archiveLimits, textBytes: 30 }
  await expectRefused(aSave(), /vms_html/, 'content_too_large', limits)
  const metadata = { name: 'metadata_json.json', data: `{"a":"${'x'.repeat(100)}"}` }
  await expectRefused(aSave([metadata]), /metadata_json/, 'content_too_large', { ...archiveLimits, textBytes: 60 })
})
