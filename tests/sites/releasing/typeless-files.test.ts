import { join } from 'node:path'
import { expect, test } from 'vitest'

import { temporaryFolder } from '../../support/test-galley.ts'
import { createPublishingFixture, filesIn } from './fixture.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

test('a picture without an extension is published as what its bytes say; a page is not', async () => {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>Text</p>', { photo: png, 'photo.large_copy': png, page: '<html><p>Hello</p>' })
  const folder = join(await temporaryFolder(), 'web')
  expect(await fixture.publish(await fixture.addTarget(`folder:${folder}`))).toMatchObject({ ok: true })
  const files = await filesIn(folder)
  const media = [...files.keys()].filter((path) => path.startsWith('media/')).map((path) => path.slice(38))
  expect(media.toSorted()).toEqual(['-page.bin', '-photo-large-copy.png', '-photo.png'])
  const picture = [...files.keys()].find((path) => path.endsWith('-photo.png'))
  expect(files.get('post-1/index.html')?.toString()).toContain(picture)
})
