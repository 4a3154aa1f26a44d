import { expect, test } from 'vitest'

import { aSave } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'
import { setUp } from './material-fixture.ts'

const material = { site: 'acme', materialId: 'harbour' }
const first = { ...material, versionId: 'harbour-1' }
const second = { ...material, versionId: 'harbour-2' }

/** A second version of the page of the fixture, in which a paragraph was edited. */
async function twoVersions() {
  const set = await setUp()
  const { service, post, galley } = set
  for (const [versionId, html] of [
    ['harbour-2', '<h1>Harbour</h1><p>The bridge is closed today.</p><p>Read more here.</p><p>Read more here.</p>'],
    ['harbour-3', '<h1>Harbour</h1><p>The old bridge is closed today.</p><p>Read more here.</p><p>Read more here.</p>'],
  ] as const) {
    const save = aSave(service, {
      materialId: 'harbour',
      versionId,
      versionCdate: `2026-11-0${versionId.slice(-1)}T10:00:00Z`,
      html,
      metadata: { user_email: 'ida@a.test' },
    })
    await post(save.body, save.headers)
  }
  return { ...testWindow(galley), galley }
}
const quote = (exact: string, prefix = '', near: number[] | null = null) =>
  ({ kind: 'text', exact, prefix, suffix: '', near }) as const

test('comments keep their places from version to version, and are answered and resolved', async () => {
  const { calls, changes } = await twoVersions()
  expect(await calls.listComments(second)).toEqual({ ok: true, value: [] })
  const added = await calls.addComment({ ...second, selection: quote('The bridge'), text: 'Which one?' })
  if (!added.ok) throw new Error(added.failure.code)
  expect(changes).toContain('marks')
  const thread = added.value.id
  expect(await calls.answerComment({ thread, text: 'The old one.' })).toEqual({ ok: true, value: null })
  const found = async (of: typeof first) => {
    const listed = await calls.listComments(of)
    return listed.ok
      ? listed.value.map(({ found: { state, places }, comments, resolved }) => [
          state,
          places.map(({ range }) => range),
          comments.length,
          resolved !== null,
        ])
      : listed
  }
  expect(await found(second)).toEqual([['same', [[0, 10]], 2, false]])
  expect(await found({ ...material, versionId: 'harbour-3' })).toEqual([['changed', [[0, 14]], 2, false]])
  expect(await found(first)).toEqual([['lost', [], 2, false]])
  await calls.settleComment({ thread, isResolved: true })
  expect(await found(second)).toEqual([['same', [[0, 10]], 2, true]])
  expect(await calls.settleComment({ thread: crypto.randomUUID(), isResolved: true })).toMatchObject({
    failure: { code: 'unknown_comment' },
  })
})

test('a selection has to say one place of the page', async () => {
  const { calls } = await twoVersions()
  const add = (selection: ReturnType<typeof quote>) => calls.addComment({ ...second, selection, text: 'x' })
  expect(await add(quote('The tunnel'))).toMatchObject({ failure: { code: 'quote_not_found' } })
  expect(await add(quote('Read more'))).toMatchObject({ failure: { code: 'quote_ambiguous' } })
  // The element in which it begins: the last one of the body.
  expect(await add(quote('Read more', '', [1, 3]))).toMatchObject({ ok: true })
  expect(await calls.addComment({ ...material, versionId: 'nope', selection: quote('x'), text: 'x' })).toMatchObject({
    failure: { code: 'unknown_version' },
  })
})

test('a message to the author quotes the open comments, and goes only to somebody who saved the page', async () => {
  const { calls, galley, opened, shown } = await twoVersions()
  await calls.addComment({ ...second, selection: quote('closed'), text: 'Since when?' })
  await galley.index.commit.write(() =>
    galley.index.fields.set('site', 'acme', [{}], { editLink: 'https://cms.example/{material_id}' }),
  )
  expect(await calls.messageFacts(second)).toMatchObject({
    value: {
      version: { number: 2, verdict: null },
      to: 'ida@a.test',
      quotes: [{ quote: 'closed', texts: ['Since when?'] }],
      editLink: 'https://cms.example/harbour',
    },
  })
  // What is still open is quoted for later versions too, and never for an earlier one.
  expect(await calls.messageFacts({ ...material, versionId: 'harbour-3' })).toMatchObject({
    value: { quotes: [{ quote: 'closed' }] },
  })
  expect(await calls.messageFacts(first)).toMatchObject({ value: { quotes: [] } })
  const to = galley.index.versions.find('acme', 'harbour', 'harbour-2')?.userEmail ?? ''
  const mail = { ...material, to, subject: 'Back to you', body: 'Why?' }
  expect(await calls.mailAuthor(mail)).toEqual({ ok: true, value: 'mail' })
  expect(opened.at(-1)).toMatch(/^mailto:[^?]+\?subject=Back%20to%20you&body=Why%3F$/)
  expect(await calls.mailAuthor({ ...mail, body: 'ü'.repeat(2_000) })).toEqual({ ok: true, value: 'too_long' })
  expect(shown.at(-1)).toContain('Back to you\n\nü')
  expect(await calls.mailAuthor({ ...mail, to: 'stranger@elsewhere.test' })).toMatchObject({
    failure: { code: 'unknown_author' },
  })
})
