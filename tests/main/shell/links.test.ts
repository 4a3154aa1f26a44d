import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'

import { itemOfLink } from '../../../src/main/shell/link-item.ts'
import { createLinks } from '../../../src/main/shell/links.ts'

test('a link of the start waits for the window, later ones reach it at once', () => {
  const app = new EventEmitter()
  const links = createLinks(app as never, ['galley', '--library', 'x', '--', 'galley://show/acme'])
  const first: string[] = []
  const leave = links.showIn((link) => first.push(link))
  expect(first).toEqual(['galley://show/acme'])
  app.emit('second-instance', {}, ['galley'])
  app.emit('second-instance', {}, ['galley', '--', 'galley://show/other'])
  const preventDefault = vi.fn<() => void>()
  app.emit('open-url', { preventDefault }, 'galley://show/third')
  expect(preventDefault).toHaveBeenCalled()
  expect(first).toEqual(['galley://show/acme', 'galley://show/other', 'galley://show/third'])

  // While the library is opened again, the last link waits.
  leave()
  app.emit('second-instance', {}, ['galley', '--', 'galley://show/late'])
  const second: string[] = []
  links.showIn((link) => second.push(link))
  expect(second).toEqual(['galley://show/late'])
  expect(first).toHaveLength(3)
})

const index = {
  sites: { find: (site: string) => (site === 'acme' ? {} : null) },
  materials: { find: (_site: string, id: string) => (id === 'post/one' ? {} : null) },
  versionList: { find: (_site: string, _id: string, version: string) => (version === 'v1' ? {} : null) },
  callbacks: { find: (id: string) => (id === '7' ? { id, site: 'acme' } : null) },
}
const ofSite = { site: 'acme', materialId: null, versionId: null }

test.each([
  ['galley://show/acme', ofSite, null],
  ['galley://show/acme/post%2Fone', { ...ofSite, materialId: 'post/one' }, null],
  ['galley://show/acme/post%2Fone/v1', { ...ofSite, materialId: 'post/one', versionId: 'v1' }, null],
  ['galley://show/acme/post%2Fone/v2', { ...ofSite, materialId: 'post/one' }, 'version'],
  ['galley://show/acme/post%2Ftwo/v1', ofSite, 'material'],
  ['galley://show/other/post%2Fone', null, 'site'],
  ['galley://show-callback/7', { site: 'acme', callbackId: '7' }, null],
  ['galley://show-callback/8', null, 'callback'],
  ['galley://publish/acme', null, 'link'],
])('%s shows what is there and says what is not', (link, item, missing) => {
  expect(itemOfLink(index as never, link)).toEqual({ item, missing })
})
