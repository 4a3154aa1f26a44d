import { describe, expect, it, test } from 'vitest'

import { matches, tokenExpiryMs } from '../../../packages/library/save/judge.ts'
import { editableRules } from '../../../packages/library/views/rules.ts'
import { fieldHandlers } from '../../../src/main/ipc/handlers/fields.ts'
import { ruleHandlers } from '../../../src/main/ipc/handlers/rules.ts'
import { materialsIn } from '../../support/records.ts'
import { aSave, createTestGalley } from '../../support/test-galley.ts'

async function setUp() {
  const made = await createTestGalley()
  await made.know('post-1')
  const rules = ruleHandlers(made.galley, () => undefined)
  const { setFields } = fieldHandlers(made.galley, () => undefined)
  const refuse = (ids: readonly string[], refused: { reason: string; since: string } | null) =>
    setFields({ ...materialsIn('acme', ...ids), set: { refused } })
  const save = async (versionId: string, metadata: Record<string, unknown> = {}) => {
    const { body, headers } = aSave(made.service, { versionId, payload: { metadata } })
    const { json } = await made.post(body, headers)
    return [json.rc, json.code ?? null, json.rm]
  }
  const loggedFacts = () => {
    const [latest] = made.galley.index.callbacks.list({ site: null, outcome: null, limit: 1 })
    return made.galley.index.callbackRequests.find(latest?.id ?? '')?.facts
  }
  return { ...made, rules, refuse, save, loggedFacts }
}

const stored = [1, null, 'Saved successfully']

describe('a save is refused before anything is downloaded', () => {
  test('while saves of its site or of all sites are paused, with the given reason', async () => {
    const { rules, save, service, post, loggedFacts } = await setUp()
    const first = aSave(service, { versionId: 'v0' })
    expect((await post(first.body, first.headers)).json.rc).toBe(1)
    const downloads = service.downloads.length
    await rules.pauseSaves({ site: null, reason: 'We move house.' })
    expect(await save('v1')).toEqual([0, 'refused', 'Saves are paused: We move house. Nothing was saved.'])
    expect(loggedFacts()).toEqual({ rule: 'paused_everywhere', reason: 'We move house.' })
    await rules.resumeSaves({ site: null })
    await rules.pauseSaves({ site: 'acme', reason: '' })
    expect(await save('v2')).toEqual([0, 'refused', 'Saves are paused. Nothing was saved.'])
    expect(loggedFacts()).toEqual({ rule: 'paused', reason: '' })
    expect(service.downloads.length).toBe(downloads)
    // A repeated delivery is answered as it was when it was stored.
    expect((await post(first.body, first.headers)).json.rc).toBe(1)
    await rules.resumeSaves({ site: 'acme' })
    expect(await save('v3')).toEqual(stored)
  })

  test('for a blocked material, whether it is known or not', async () => {
    const { rules, save, galley, refuse } = await setUp()
    await refuse(['post-1', 'never-seen'], { reason: 'It is printed', since: '2026-11-03T00:00:00.000Z' })
    expect(await save('v1')).toEqual([
      0,
      'refused',
      'Saves of this material are paused: It is printed. Nothing was saved.',
    ])
    expect(galley.index.materialList.find('acme', 'post-1')).toMatchObject({ isRefused: true })
    expect(await rules.readRules({ site: 'acme' })).toMatchObject({
      ok: true,
      value: { site: { materials: [{ materialId: 'post-1' }, { materialId: 'never-seen' }] } },
    })
    await refuse(['post-1'], null)
    expect(await save('v1')).toEqual(stored)
  })

  test('by the editor and by an expired token in the metadata of the callback', async () => {
    const { rules, save } = await setUp()
    const wanted = {
      unknownMaterials: 'refuse',
      editors: [{ pattern: '*@Agency.example', reason: '' }],
      expiredToken: { action: 'refuse', key: 'timeLimitedAuthToken' },
      samePersonMayApprove: true,
      approveUnchanged: false,
    } as const
    await rules.saveRules({ site: 'acme', rules: { ...wanted, editors: [...wanted.editors] } })
    expect(await save('v1', { user_email: 'ida@agency.example' })).toEqual([
      0,
      'refused',
      'Saves of this editor are blocked. Nothing was saved.',
    ])
    const token = (seconds: number) => ({ timeLimitedAuthToken: String(Math.floor(Date.now() / 1000) + seconds) })
    expect((await save('v2', token(-5))).slice(0, 2)).toEqual([0, 'refused'])
    expect(await save('v3', token(500))).toEqual(stored)
    expect(await save('v4', { timeLimitedAuthToken: 'opaque' })).toEqual(stored)
  })

  test('the link to the editor is kept with the rules, and stays where it is not named', async () => {
    const { rules, galley } = await setUp()
    const others = { unknownMaterials: 'accept', editors: [], expiredToken: { action: 'accept', key: 'k' } } as const
    const wanted = { ...others, editors: [] }
    const editLink = 'https://cms.example/edit/{material_id}'
    expect(await rules.saveRules({ site: 'acme', rules: { ...wanted, editLink } })).toMatchObject({
      value: { editLink },
    })
    await rules.saveRules({ site: 'acme', rules: wanted })
    expect(galley.index.fields.of('site', 'acme', {})?.editLink).toBe(editLink)
    const isTaken = (link: string) => editableRules.safeParse({ ...wanted, editLink: link }).success
    const links = ['', editLink, 'https://cms.example/edit', 'ftp://cms.example/{material_id}']
    expect(links.map(isTaken)).toEqual([true, true, false, false])
  })

  test('invalid rules are not stored', async () => {
    const { rules } = await setUp()
    const expiredToken = { action: 'accept', key: 'k' } as const
    const review = { samePersonMayApprove: true, approveUnchanged: false }
    const editors = [{ pattern: 'a b', reason: '' }]
    expect(
      await rules.saveRules({ site: 'acme', rules: { ...review, unknownMaterials: 'accept', editors, expiredToken } }),
    ).toMatchObject({ ok: false, failure: { code: 'invalid_pattern', pattern: 'a b' } })
  })
})

it.each([
  ['ida@x.org', 'ida@x.org', true],
  ['IDA@x.org', 'ida@X.org', true],
  ['*@x.org', 'ida@x.org', true],
  ['*@x.org', 'ida@x.org.evil', false],
  ['ida*', 'ida@x.org', true],
  ['*', 'anybody@x.org', true],
  ['a*b*c', 'axbxc', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['a.b@x.org', 'aXb@x.org', false],
])('the pattern %s holds for %s: %s', (pattern, email, expected) => {
  expect(matches(pattern, email)).toBe(expected)
})

const jwt = (claims: unknown) =>
  ['e30', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'signature'].join('.')

it.each([
  [{ t: jwt({ exp: 1_700_000_000 }) }, 1_700_000_000_000],
  [{ t: jwt({ sub: 'no end' }) }, null],
  [{ t: '1700000000' }, 1_700_000_000_000],
  [{ t: 1_700_000_000_123 }, 1_700_000_000_123],
  [{ t: '2026-01-02T03:04:05Z' }, Date.parse('2026-01-02T03:04:05Z')],
  [{ site: { t: '1700000000' } }, 1_700_000_000_000],
  [{ t: 'opaque.but.dotted' }, null],
  [{ t: '12' }, null],
  [{ other: '1700000000' }, null],
])('a token of %j runs out at %s', (metadata, expected) => {
  expect(tokenExpiryMs(JSON.stringify(metadata), 't')).toBe(expected)
})
