import { describe, expect, it } from 'vitest'

import { editLinkOf, isEditLink } from '../../../packages/library/records/edit-link.ts'
import { isMailAddress, mailDraft } from '../../../packages/library/records/mail-draft.ts'

describe('a mail draft', () => {
  it('has one address, and everything else encoded', () => {
    expect(mailDraft('ida+x@desk.example', 'Ваша «статья» & more?', 'a=b\nc#%')).toBe(
      'mailto:ida%2Bx@desk.example?subject=%D0%92%D0%B0%D1%88%D0%B0%20%C2%AB%D1%81%D1%82%D0%B0%D1%82%D1%8C%D1%8F%C2%BB%20%26%20more%3F&body=a%3Db%0D%0Ac%23%25',
    )
    expect(mailDraft('ida@desk.example', 'half \ud800', '')).toContain('subject=half%20%EF%BF%BD')
  })

  it.each([
    'ida@desk.example,ben@desk.example',
    'ida@desk.example?bcc=ben@desk.example',
    'ida@desk.example&cc=x',
    'ida@desk.example;ben@desk.example',
    'Ida <ida@desk.example>',
    'ida@@desk.example',
    'ida%2Cben@desk.example',
    'ida@desk.example\n',
    'ida',
    '',
  ])('is none for %j', (to) => {
    expect(isMailAddress(to)).toBe(false)
    expect(mailDraft(to, '', '')).toBeNull()
  })

  it('is none where it is too long for a link', () => {
    expect(mailDraft('ida@desk.example', 'x', 'й'.repeat(300))).not.toBeNull()
    expect(mailDraft('ida@desk.example', 'x', 'й'.repeat(340))).toBeNull()
  })
})

describe('the link to edit a material', () => {
  it('has the material percent-encoded in its place', () => {
    const template = 'https://cms.example/edit/{material_id}?from={material_id}'
    expect(isEditLink(template)).toBe(true)
    expect(editLinkOf(template, 'a/b?c $& ü')).toBe(
      'https://cms.example/edit/a%2Fb%3Fc%20%24%26%20%C3%BC?from=a%2Fb%3Fc%20%24%26%20%C3%BC',
    )
    expect(isEditLink('')).toBe(true)
    expect(editLinkOf('', 'a')).toBeNull()
  })

  it.each([
    'https://cms.example/edit/',
    'ftp://cms.example/{material_id}',
    'javascript:{material_id}',
    'https://user:pass@cms.example/{material_id}',
    'https://{material_id}.example/',
    'https://cms.example/{material_id} x',
    '/edit/{material_id}',
    `https://cms.example/${'x'.repeat(2_000)}{material_id}`,
  ])('is not %j', (template) => {
    expect(isEditLink(template)).toBe(false)
  })
})
