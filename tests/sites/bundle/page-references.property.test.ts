import fc from 'fast-check'
import { expect, test } from 'vitest'

import { createContentsReader, createLinkCheck } from '../../../packages/sites/bundle/link-check.ts'

const base = 'https://own.example'
const read = createContentsReader([base])

/** Markup with closed elements, and parts with unclosed ones. */
const pieces = [
  '<a href="1">x</a>', '<img src="2" srcset="3 1x, 4 2x">', '<p id="i">text', '</p>', '<div>', '</div>', 'words &amp; more',
  '<style>a{background:url(5)}</style>', '<svg><style>b{background:url(6)}</style></svg>', '<svg>', '</svg>', '<math>',
  '<select><option>', '</select>', '<table><tr><td>', '</table>', '<template>', '</template>', '<noscript>', '</noscript>',
  '<!-- ', ' -->', '<script>"<a href=7>"</script>', '<textarea>', '</textarea>', '<title>', '</title>', '<base href="8/">',
  '<a href="', '">', "<a title='", "'>", '<', '</', '<!', '&', '<plaintext>', '<frameset>', '</body>', '</html>', '<head>',
  '<form action="9">', '</form>', '<body id="j">', '<style>c{background:url(10)}', '</style>', '<![CDATA[', ']]>', '<a href=11',
  '<img src="dummy-a.png">', '<script>"dummy-b.png"</script>', `<a href="${base}/media/${'0'.repeat(32)}/c.png">`, '<!--dummy-d.png-->',
  '<GALLEY-PART>', '<galley-part x>', 'href=12>', 'a href=13>', '\n', '<iframe>', '</iframe>', '<figure>', '</figure>', '<li>', '<button>',
] // prettier-ignore

const some = (most: number) => fc.array(fc.constantFrom(...pieces), { maxLength: most }).map((parts) => parts.join(''))
const page = fc.record({
  open: fc.oneof(fc.constant('<!doctype html><head><title>x</title></head><body><main>\n'), some(4)),
  markup: some(6),
  close: some(4),
})

/** Elements closed in order, which the parser nevertheless nests otherwise: a `p` ends where a `div` begins. */
const { tree: closed } = fc.letrec<{ tree: string; nodes: string[] }>((tie) => ({
  tree: tie('nodes').map((nodes) => nodes.join('')),
  nodes: fc.array(
    fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        'words',
        '\n',
        '<img src="1">',
        '<img src="dummy-5.png">',
        '<script>"dummy-6.png"</script>',
        '<br>',
        '<base href="2/">',
        '<meta content="x">',
      ),
      fc
        .record({
          name: fc.constantFrom(...'p div a b i h1 h2 li ul dl dd span article head body html cite'.split(' ')),
          given: fc.constantFrom('', ' id="i"', ' href="3"', ' style="a:url(4)"'),
          inner: tie('tree'),
        })
        .map(({ name, given, inner }) => `<${name}${given}>${inner}</${name}>`),
    ),
    { maxLength: 3 },
  ),
}))

const same = ({ open, markup, close }: { open: string; markup: string; close: string }): boolean => {
  const contents = read.part(markup)
  const html = `${open}${markup}${close}`
  const around = contents && read.pageAround(html, { markup, contents })
  if (around === null) return false
  expect(around).toEqual(read.page(html))
  return true
}

const counted = () => {
  let known = 0
  return { count: () => known, check: (given: Parameters<typeof same>[0]): void => void (known += Number(same(given))) }
}

test('the contents of a page are the same with and without a known part', () => {
  const { count, check } = counted()
  fc.assert(fc.property(page, check), {
    numRuns: 20_000,
    examples: [[{ open: '<body>', markup: 'words <', close: 'a href=13>' }]],
  })
  expect(count()).toBeGreaterThan(500)
})

test('so they are when the part closes all its elements in order', () => {
  const { count, check } = counted()
  const open = fc.constantFrom('<body><main>\n', '<!doctype html><head><title>x</title></head><body><div>\n')
  const close = fc.constantFrom(
    '<script>"dummy-7.png"</script></main>',
    '<script>"dummy-7.png"</script></main>',
    '</main><a href="20">x</a>',
    '<p id="z">y</p></div>',
    '<b>z</b></body>',
  )
  fc.assert(fc.property(fc.record({ open, markup: closed, close }), check), { numRuns: 10_000 })
  expect(count()).toBeGreaterThan(5000)
})

test('the links of a page are judged alike with and without a judged part', () => {
  const scope = {
    paths: new Set(['at/index.html', 'at/1', 'at/3', 'at/5', 'images/x.png']),
    inertPaths: new Set<string>(),
    baseUrl: 'https://site.example/',
    publicBases: [base],
  }
  const path = 'at/index.html'
  const open = fc.constantFrom('<body><main>\n', '<body><a href="3">x</a><main>\n', '<body><a href="#i">x</a><div>\n')
  const close = fc.constantFrom(
    '</main><a href="1">x</a><a href="20">x</a>',
    '</main><a href="1">x</a>',
    '<p id="z">y</p></div>',
    '<a href="?q#z">x</a></div></body>',
  )
  let known = 0
  const alike = (given: { open: string; markup: string; close: string }): void => {
    const html = `${given.open}${given.markup}${given.close}`
    const check = createLinkCheck(scope)
    const part = check.part(path, given.markup)
    const report = part && check.pageAround(path, html, { markup: given.markup, ...part })
    if (report === null) return
    known += 1
    const whole = createLinkCheck(scope)
    const expected = whole.page(path, html)
    const sorted = ({ known: links, ...rest }: typeof expected) => ({
      ...rest,
      known: links && { ...links, named: links.named.toSorted(), anchors: links.anchors.toSorted() },
    })
    expect(sorted(report)).toEqual(sorted(expected))
    expect(check.awaitedPages()).toEqual(whole.awaitedPages())
  }
  fc.assert(fc.property(fc.record({ open, markup: closed, close }), alike), { numRuns: 10_000 })
  expect(known).toBeGreaterThan(1000)
})
