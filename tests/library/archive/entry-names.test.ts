import { expect, test } from 'vitest'

import { fontsRole, mediaRole, shownName } from '../../../packages/wire/protocol/archive.ts'

test('the entries of a media ZIP', () => {
  expect(mediaRole('vms_html.html')).toEqual({ kind: 'html', name: 'vms_html.html' })
  expect(mediaRole('vms_json.json')).toEqual({ kind: 'state', name: 'vms_json.json' })
  expect(mediaRole('metadata_json.json')).toEqual({ kind: 'metadata', name: 'metadata_json.json' })
  expect(mediaRole('vms_media/a/x.png')).toEqual({ kind: 'file', name: 'a/x.png' })
  expect(mediaRole('vms_media/vms_html.html')).toEqual({ kind: 'file', name: 'vms_html.html' })
  for (const name of ['Vms_html.html', 'vms_media.png', 'sub/vms_json.json', 'vms_fonts/a.woff']) {
    expect(mediaRole(name)).toEqual({ kind: 'unexpected', name })
  }
})

test('the entries of a fonts ZIP', () => {
  expect(fontsRole('vms_fonts.css')).toEqual({ kind: 'css', name: 'vms_fonts.css' })
  expect(fontsRole('vms_fonts.json')).toEqual({ kind: 'tree', name: 'vms_fonts.json' })
  expect(fontsRole('metadata_json.json')).toEqual({ kind: 'metadata', name: 'metadata_json.json' })
  expect(fontsRole('vms_fonts/Inter.woff2')).toEqual({ kind: 'file', name: 'Inter.woff2' })
  expect(fontsRole('vms_media/a.png')).toEqual({ kind: 'unexpected', name: 'vms_media/a.png' })
})

test('names as shown in messages', () => {
  expect(shownName('Привет мир.png')).toBe('Привет мир.png')
  expect(shownName('a\u202eb\u0007c')).toBe('a\\u{202e}b\\u{7}c')
  expect(shownName('x'.repeat(300))).toBe(`${'x'.repeat(99)}…`)
  expect(shownName('🖼'.repeat(80)).isWellFormed()).toBe(true)
})
