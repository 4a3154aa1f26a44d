import { describe, expect, it } from 'vitest'

import { shortcutOf } from '../../../src/renderer/app/shortcuts.ts'
import { arrivalText } from '../../../src/renderer/features/callbacks/arrival.ts'
import { waterfall } from '../../../src/renderer/features/callbacks/waterfall.ts'
import { materialStatus } from '../../../src/renderer/features/materials/material-status.ts'
import { draftOf, emptyDraft, formOf } from '../../../src/renderer/features/sites/site-draft.ts'
import { aCallback, aMaterial, aSite, refusedOver } from '../support/sample-data.ts'

const nowMs = Date.parse('2026-11-21T12:00:00Z')
const day = 24 * 60

describe('the waterfall', () => {
  it('lays the steps end to end and marks the slowest', () => {
    const bars = waterfall([
      { name: 'a', ms: 1 },
      { name: 'b', ms: 3 },
    ])
    expect(bars).toEqual([
      { name: 'a', ms: 1, startPercent: 0, widthPercent: 25, isSlowest: false },
      { name: 'b', ms: 3, startPercent: 25, widthPercent: 75, isSlowest: true },
    ])
  })

  it('stands steps that took no time, and no steps', () => {
    expect(waterfall([])).toEqual([])
    expect(waterfall([{ name: 'a', ms: 0 }])[0]).toMatchObject({ widthPercent: 0, isSlowest: false })
  })
})

describe('arrivals', () => {
  it('name outcome and material, count several, and never quote what is secret', () => {
    expect(arrivalText([])).toBe('')
    expect(arrivalText([aCallback(nowMs, 1, 0)])).toMatch(/^Stored: slow-trains, \d\d:\d\d:\d\d$/)
    expect(arrivalText([aCallback(nowMs, 1, 0, refusedOver)])).toMatch(/^Rejected: slow-trains, /)
    expect(arrivalText([aCallback(nowMs, 1, 0, { kind: 'site_fonts_updated' })])).toMatch(/^Stored: fonts, /)
    expect(arrivalText([aCallback(nowMs, 1, 0), aCallback(nowMs, 2, 0)])).toBe('2 callbacks arrived')
  })
})

describe('the status of a material', () => {
  it.each([
    [null, 0, 'unsaved'],
    [5, 3, 'saved'],
    [12.5 * day, 3, 'ending'],
    [20 * day, 3, 'saved'],
  ] as const)('saved %s minutes ago with %d versions is %s', (ago, versions, status) =>
    expect(materialStatus(aMaterial(nowMs, 'a', 'A', ago, versions), nowMs)).toBe(status),
  )
})

describe('the site form', () => {
  it('gives back what a site holds, without its secret', () => {
    const { id, name, environment, baseUrl, apiKey, callbackUrl, publicUrl, allowedDomains } = aSite()
    const own = { id, name, environment, baseUrl, apiKey, callbackUrl, publicUrl, allowedDomains }
    const chosen = { unknownMaterials: 'refuse', callbackAuth: 'bearer', secret: null }
    expect(formOf(draftOf(aSite()))).toEqual({ ...own, ...chosen })
  })

  it('drops blanks around what is typed, but not in the secret', () => {
    const draft = {
      ...emptyDraft,
      id: ' blog ',
      publicUrl: ' ',
      allowedDomains: 'a.example\n\n b.example, c.example',
      secret: ' s ',
    }
    expect(formOf(draft)).toMatchObject({
      id: 'blog',
      name: 'blog',
      publicUrl: null,
      secret: ' s ',
      allowedDomains: ['a.example', 'b.example', 'c.example'],
    })
  })
})

describe('shortcuts', () => {
  const keys = { key: '1', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false }
  it.each([
    [keys, false, { kind: 'go', view: 'materials' }],
    [{ ...keys, key: '3' }, false, { kind: 'go', view: 'fonts' }],
    [{ ...keys, key: 'F' }, false, { kind: 'search' }],
    [{ ...keys, key: '4' }, false, null],
    [{ ...keys, ctrlKey: false }, false, null],
    [{ ...keys, altKey: true }, false, null],
    [keys, true, null],
    [{ ...keys, ctrlKey: false, metaKey: true }, true, { kind: 'go', view: 'materials' }],
  ])('%j', (pressed, isMac, meaning) => expect(shortcutOf(pressed, isMac)).toEqual(meaning))
})
