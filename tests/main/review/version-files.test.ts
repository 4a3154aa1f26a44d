import { existsSync, statSync } from 'node:fs'
import { appendFile, chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { sha256Of } from '../../../packages/platform/index.ts'
import { createVersionFiles } from '../../../src/main/review/version-files.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

async function aLibrary() {
  const { galley, service, know, post } = await createTestGalley()
  await know('post-1')
  const { body, headers } = aSave(service, { versionId: 'v1', html: '<h1>Harbour</h1>' })
  expect((await post(body, headers)).json.rc).toBe(1)
  const named = (title: string, number: number) => `${title}, version ${number}`
  const files = createVersionFiles({ index: galley.index, vault: galley.vault, named })
  onTestFinished(files.stop)
  const parts = galley.index.versions.parts('acme', 'post-1', 'v1')
  if (parts === null) throw new Error('not stored')
  const storedAt = (part: 'html' | 'kept') => {
    const slice = galley.index.blobs.find(parts[part])
    if (slice === null) throw new Error('no blob')
    return galley.vault.pathOf(slice.file)
  }
  return { files, parts, storedAt }
}

const version = { site: 'acme', materialId: 'post-1', versionId: 'v1' }

it('copies page and archive as they are stored, each with its name, and again only when a copy is gone', async () => {
  const { files, parts } = await aLibrary()
  for (const [kind, sha256] of [
    ['html', parts.html],
    ['zip', parts.kept],
  ] as const) {
    const made = await files.copy({ ...version, kind })
    if (!made.ok) throw new Error(made.failure.code)
    expect(basename(made.value)).toBe(`Harbour, version 1.${kind}`)
    expect(sha256Of(await readFile(made.value))).toBe(sha256)
    expect(statSync(dirname(dirname(made.value))).mode & 0o077).toBe(0)
    expect(await files.copy({ ...version, kind })).toEqual(made)
    await rm(made.value)
    const again = await files.copy({ ...version, kind })
    expect(again.ok && existsSync(again.value)).toBe(true)
  }
})

it('what another program does to a copy changes nothing in the library, and nothing is left at the end', async () => {
  const { files, parts, storedAt } = await aLibrary()
  const made = await files.copy({ ...version, kind: 'zip' })
  if (!made.ok) throw new Error(made.failure.code)
  await appendFile(made.value, 'more')
  expect(sha256Of(await readFile(storedAt('kept')))).toBe(parts.kept)
  files.stop()
  expect(existsSync(dirname(dirname(made.value)))).toBe(false)
})

it('a version that is not there, and a damaged or missing file, are told and not copied', async () => {
  const { files, storedAt } = await aLibrary()
  expect(await files.copy({ ...version, versionId: 'v2', kind: 'html' })).toEqual({
    ok: false,
    failure: { code: 'unknown_version' },
  })
  const damaged = { ok: false, failure: { code: 'damaged_blob', state: 'copying' } }
  await chmod(storedAt('kept'), 0o600)
  await writeFile(storedAt('kept'), Buffer.alloc(statSync(storedAt('kept')).size))
  expect(await files.copy({ ...version, kind: 'zip' })).toMatchObject(damaged)
  await rm(storedAt('kept'))
  expect(await files.copy({ ...version, kind: 'zip' })).toMatchObject(damaged)
})
