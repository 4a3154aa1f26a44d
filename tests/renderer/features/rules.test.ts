import { describe, expect, it } from 'vitest'

import { rollbackOf } from '../../../src/renderer/features/materials/rollback.ts'
import { draftOf, emptyDraft, formOf } from '../../../src/renderer/features/sites/site-draft.ts'
import { aMaterial, aSite } from '../support/sample-data.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')
const day = 24 * 60

describe('the editor history of a material', () => {
  it.each([
    [5, { kind: 'kept', unit: 'days', count: 13, isEnding: false }],
    [12 * day, { kind: 'kept', unit: 'days', count: 2, isEnding: true }],
    [13.5 * day, { kind: 'kept', unit: 'hours', count: 12, isEnding: true }],
    [14 * day, { kind: 'over' }],
  ] as const)('opened %s minutes ago is %j', (ago, rollback) =>
    expect(rollbackOf(aMaterial(nowMs, 'a', 'A', ago, 1).session, nowMs)).toEqual(rollback),
  )

  it('does not exist for a material that was never opened', () =>
    expect(rollbackOf(null, nowMs)).toEqual({ kind: 'never' }))
})

describe('the site form', () => {
  it('round-trips a site without its secret', () => {
    const site = aSite({ downloadOrigins: ['https://files.example'], signatureHeader: 'X-Sign' })
    const {
      publish: _,
      isConfirmed: _0,
      maxContentBytes: _1,
      requestTimeoutMs: _2,
      downloadTimeoutMs: _3,
      bucketKeys: _4,
      isSecretTried: _isSecretTried,
      ...own
    } = site
    expect(formOf(draftOf(site))).toEqual({ ...own, secret: null })
  })

  it('trims every field except the secret', () => {
    const draft = {
      ...emptyDraft,
      id: ' blog ',
      publicUrl: ' ',
      allowedDomains: 'a.example\n\n b.example, c.example',
      downloadOrigins: ' https://a.example\n',
      signatureHeader: ' X-Sign ',
      secret: ' s ',
    }
    expect(formOf(draft)).toMatchObject({
      id: 'blog',
      name: 'blog',
      publicUrl: null,
      secret: ' s ',
      allowedDomains: ['a.example', 'b.example', 'c.example'],
      downloadOrigins: ['https://a.example'],
      signatureHeader: 'X-Sign',
    })
  })
})
