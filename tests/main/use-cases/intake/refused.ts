import { expect } from 'vitest'

import type { TestGalley } from '../../../support/test-galley.ts'
import { aSave, createTestGalley } from '../../../support/test-galley.ts'

/** A library with one stored version, which a refusal must not change. */
export async function withStoredVersion(options: Parameters<typeof createTestGalley>[0] = {}) {
  const house = await createTestGalley(options)
  await house.know('post-1')
  const save = aSave(house.service, { versionId: 'stored', html: '<p>kept</p>' })
  const answer = await house.post(save.body, save.headers)
  expect(answer.json.rc, answer.text).toBe(1)
  return { ...house, before: await house.filesOf(), stored: save }
}

/** Checks for every refusal: its row of the table, and that nothing else changed. */
export async function expectRefused(
  house: TestGalley & { before: readonly string[] },
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
  expect(answer.text).not.toContain(house.service.secret)
  expect(answer.text).not.toContain(house.service.apiKey)
  expect(answer.text).not.toMatch(/[0-9a-f]{64}/)
  expect(answer.text).not.toContain(house.folder)
  expect(await house.filesOf()).toEqual(house.before)
  expect(house.galley.index.versions.list('acme', 'post-1').map(({ versionId }) => versionId)).toEqual(['stored'])
  expect(house.lines).toEqual([])
}
