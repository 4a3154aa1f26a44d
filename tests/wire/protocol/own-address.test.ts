import { expect, test } from 'vitest'

import { createAddressReader } from '../../../packages/wire/protocol/own-address.ts'

const base = 'https://files.test/galley'
const hash = '0123456789abcdef'.repeat(2)
const media = `${base}/media/${hash}/a.png`

test.for([
  ['as Galley writes it', media, media],
  ['with http', `http://files.test/galley/media/${hash}/a.png`, media],
  ['without a scheme, from a page with https', `//files.test/galley/media/${hash}/a.png`, media],
  ['with the port of its scheme', `https://FILES.test:443/galley/x/../media/${hash}/a.png`, media],
  ['with percent-encoding', `${base}/%6dedia/${hash}/%61.png`, media],
  ['of a font', `${base}/fonts/acme/current.css`, `${base}/fonts/acme/current.css`],
  ['on another host with the same path', `https://elsewhere.test/galley/media/${hash}/a.png`, null],
  ['on another port', `https://files.test:8443/galley/media/${hash}/a.png`, null],
  ['beside the folder of the base', `https://files.test/other/media/${hash}/a.png`, null],
  ['above the folder of the base', `https://files.test/media/${hash}/a.png`, null],
  ['without a name', `${base}/media/${hash}/`, null],
  ['without a hash', `${base}/media/a.png`, null],
  ['of neither media nor fonts', `${base}/pages/${hash}/a.png`, null],
  ['of another scheme', `ftp://files.test/galley/media/${hash}/a.png`, null],
  ['that is not UTF-8', `${base}/media/${hash}/%ff.png`, null],
  ['that is relative', `media/${hash}/a.png`, null],
] as const)('an address %s', ([, address, expected]) => {
  expect(createAddressReader([base])(address)).toBe(expected)
})

test('a relative address is resolved against its page', () => {
  const read = createAddressReader([base], `${base}/pages/x.html`)
  expect([read(`../media/${hash}/a.png`), read(`media/${hash}/a.png`)]).toEqual([media, null])
})

test('without bases, media of any site are read, and nothing else', () => {
  const read = createAddressReader(null)
  const elsewhere = `https://cdn.test/deep/media/${hash}/a.png`
  expect([read(elsewhere), read(`${base}/fonts/acme/current.css`)]).toEqual([elsewhere, null])
})
