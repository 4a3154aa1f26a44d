import { expect } from 'vitest'

import type { TestGalley } from '../../support/test-galley.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

/** A library with one stored version, which a refusal must not change. */
export async function withStoredVersion(options: Parameters<typeof createTestGalley>[0] = {}) {
  const fixture = await createTestGalley(options)
  await fixture.know('post-1')
  const save = aSave(fixture.service, { versionId: 'stored', html: '<p>kept</p>' })
  const answer = await fixture.post(save.body, save.headers)
  expect(answer.json.rc, answer.text).toBe(1)
  return { ...fixture, before: await fixture.filesOf(), stored: save }
}

/** Checks for every refusal: its row of the table, and that nothing else changed. */
export async function expectRefused(
  fixture: TestGalley & { before: readonly string[] },
  answer: Awaited<ReturnType<TestGalley['post']>>,
  status: number,
  code: string,
) {
  expect({ status: answer.status, rc: answer.json.rc, code: answer.json.code }, answer.text).toEqual({
    status,
    rc: 0,
    code,
  })
  expect(answer.json.rm).toBeTruthy()
  expect(answer.text).not.toContain(fixture.service.secret)
  expect(answer.text).not.toContain(fixture.service.apiKey)
  expect(answer.text).not.toMatch(/[0-9a-f]{64}/)
  expect(answer.text).not.toContain(fixture.folder)
  expect(await fixture.filesOf()).toEqual(fixture.before)
  expect(fixture.galley.index.versions.list('acme', 'post-1').map(({ versionId }) => versionId)).toEqual(['stored'])
  expect(fixture.lines).toEqual([])
}
