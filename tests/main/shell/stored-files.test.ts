import { open } from 'node:fs/promises'
import { expect, it } from 'vitest'

import { storedFileUrl } from '../../../src/ipc/stored-file-url.ts'
import { createStoredFiles } from '../../../src/main/shell/stored-files.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

async function stored() {
  const { galley, know, post, service } = await createTestGalley()
  await know('post-1')
  const save = aSave(service, { versionId: 'v', files: { 'a b.png': 'picture', 'page.html': '<script></script>' } })
  await post(save.body, save.headers)
  const media = galley.index.versions.media('acme', 'post-1', 'v')
  const answer = createStoredFiles({ ...galley, log: () => undefined })
  const named = (name: string) => media.find((file) => file.name === name)!
  return { answer, named, galley }
}

it('serves a stored picture by its hash, with its type and nothing active', async () => {
  const { answer, named } = await stored()
  const response = (await answer(storedFileUrl(named('a b.png')), 'GET'))!
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('picture')
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
})

it('serves no picture that was altered on disk', async () => {
  const { answer, named, galley } = await stored()
  const picture = named('a b.png')
  const place = galley.index.blobs.find(picture.sha256)!
  const { path, offset } = await galley.vault.locate(place)
  const file = await open(path, 'r+')
  await file.write('X', offset)
  await file.close()
  const response = (await answer(storedFileUrl(picture), 'GET'))!
  expect([response.status, await response.text()]).toEqual([500, ''])
})

it('serves no other types, methods and hashes, and ignores other URLs', async () => {
  const { answer, named } = await stored()
  const picture = named('a b.png')
  expect((await answer(storedFileUrl(named('page.html')), 'GET'))?.status).toBe(404)
  expect((await answer(storedFileUrl(picture), 'POST'))?.status).toBe(404)
  expect((await answer(storedFileUrl({ ...picture, sha256: 'f'.repeat(64) as never }), 'GET'))?.status).toBe(404)
  expect(answer('app://galley/stored/../index.db/x.png', 'GET')).toBeNull()
  expect(answer('app://galley/renderer/index.html', 'GET')).toBeNull()
})
