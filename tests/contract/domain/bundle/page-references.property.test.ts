import fc from 'fast-check'
import { expect, test } from 'vitest'

import { pageContents, partContents } from '../../../../src/contract/domain/bundle/page-references.ts'

/** Markup with closed elements, and parts with unclosed ones. */
const pieces = [
  ...['<a href="1">x</a>', '<img src="2" srcset="3 1x, 4 2x">', '<p id="i">text', '</p>', '<div>', '</div>', 'words &amp; more'],
  ...['<style>a{background:url(5)}</style>', '<svg><style>b{background:url(6)}</style></svg>', '<svg>', '</svg>', '<math>'],
  ...['<select><option>', '</select>', '<table><tr><td>', '</table>', '<template>', '</template>', '<noscript>', '</noscript>'],
  ...['<!-- ', ' -->', '<script>"<a href=7>"</script>', '<textarea>', '</textarea>', '<title>', '</title>', '<base href="8/">'],
  ...['<a href="', '">', "<a title='", "'>", '<', '</', '<!', '&', '<plaintext>', '<frameset>', '</body>', '</html>', '<head>'],
  ...['<form action="9">', '</form>', '<body id="j">', '<style>c{background:url(10)}', '</style>', '<![CDATA[', ']]>', '<a href=11'],
  ...['<GALLEY-PART>', '<galley-part x>', 'href=12>', 'a href=13>', '\n', '<iframe>', '</iframe>', '<figure>', '</figure>', '<li>', '<button>'],
] // prettier-ignore

const some = (most: number) => fc.array(fc.constantFrom(...pieces), { maxLength: most }).map((parts) => parts.join(''))
const page = fc.record({
  open: fc.oneof(fc.constant('<!doctype html><head><title>x</title></head><body><main>\n'), some(4)),
  markup: some(6),
  close: some(4),
})

test('the contents of a page are the same with and without a known part', () => {
  let known = 0
  const same = ({ open, markup, close }: { open: string; markup: string; close: string }): void => {
    const contents = partContents(markup)
    if (contents === null) return
    known += 1
    const html = `${open}${markup}${close}`
    expect(pageContents(html, { markup, contents })).toEqual(pageContents(html))
  }
  fc.assert(fc.property(page, same), {
    numRuns: 20_000,
    examples: [[{ open: '<body>', markup: 'words <', close: 'a href=13>' }]],
  })
  expect(known).toBeGreaterThan(1500)
})
