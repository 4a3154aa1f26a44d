import fc from 'fast-check'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'

import { cleanSvg } from '../../../packages/sites/bundle/clean-svg.ts'

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${content}</svg>`

/** Element names with their attributes, as an HTML parser reads them. */
function elementsOf(markup: string): readonly DefaultTreeAdapterTypes.Element[] {
  const found: DefaultTreeAdapterTypes.Element[] = []
  const walk = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node) found.push(node)
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parse(markup))
  return found
}

describe('drawings that could run', () => {
  it.each([
    [svg('<script>alert(1)</script><path d="M0 0"/>'), svg('<path d="M0 0"/>')],
    [svg('<path d="M0 0"/>', ' onload="alert(1)" width="9"'), svg('<path d="M0 0"/>', ' width="9"')],
    [svg('<a href="javascript:alert(1)"><rect/></a>'), svg('<a><rect/></a>')],
    [svg('<a\n  href="java&#10;script:x" id=\'k\'><rect/></a>'), svg("<a id='k'><rect/></a>")],
    [svg('<a><set attributeName="href" to="x"/><rect/></a>'), svg('<a><rect/></a>')],
    [svg('<use xlink:href="data:image/svg+xml,x" x="1"/>'), svg('<use x="1"/>')],
    [svg('<g><script><g/></script><script/><script>a</script><rect/></g>'), svg('<g><rect/></g>')],
    [
      svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><p>Text</p></body></foreignObject>'),
      svg('<foreignObject><div xmlns="http://www.w3.org/1999/xhtml"><p>Text</p></div></foreignObject>'),
    ],
    [
      svg('<foreignObject><h:iframe src="x"/><h:p>x</h:p></foreignObject>'),
      svg('<foreignObject><h:p>x</h:p></foreignObject>'),
    ],
    [`<?xml version="1.0"?>\n<?xml-stylesheet href="x"?>${svg('<rect/>')}`, `<?xml version="1.0"?>\n${svg('<rect/>')}`],
    [`<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${svg('')}`, `<!DOCTYPE svg>${svg('')}`],
    [svg('<image x="1" href="https://x.example/a.png"/>'), svg('<image x="1"/>')],
    [svg('<image title=">" xlink:href=" \\\\x.example/a.png"/>'), svg('<image title=">"/>')],
    [
      svg('<use href="http:x.example/a.svg#b"/><rect fill="url(//x.example/b#c)" id="k"/>'),
      svg('<use/><rect id="k"/>'),
    ],
    [svg('<rect style="fill:u&#114;l(&quot;https://x.example/b#c&quot;)"/>'), svg('<rect/>')],
    [svg('<style>@import "https://x.example/a.css";</style><rect/>'), svg('<style></style><rect/>')],
    [
      svg('<style>@import url(https://x.example/a.css) screen; .a{fill:red}</style><rect class="a"/>'),
      svg('<style> .a{fill:red}</style><rect class="a"/>'),
    ],
    [
      svg(
        '<style type="text/css"><![CDATA[.a > b{fill:red} @font-face{src:url("//x.example/f.woff2")}]]></style><rect/>',
      ),
      svg('<style type="text/css">.a > b{fill:red} @font-face{src:url("#gone")}</style><rect/>'),
    ],
    [
      svg('<style>.a{fill:url(https://x.example/p.svg#q) &quot;x&quot;}<!-- x --> .b&gt;c{content:"&amp;"}</style>'),
      svg('<style>.a{fill:url(#gone) "x"} .b>c{content:"&amp;"}</style>'),
    ],
    [
      svg('<style>@import url(a.css); @import "https:x.example";b{}</style>'),
      svg('<style>@import url(a.css); b{}</style>'),
    ],
    [svg('<style>a{fill:url(https://x.example/a)}<b/></style><rect/>'), svg('<rect/>')],
    [svg('<rect style="fill:red;mask:url(https://x.example/m#n)"/>'), svg('<rect style="fill:red;mask:url(#gone)"/>')],
    [svg('<script>if (a<b) c()</script><rect/>'), svg('<rect/>')],
    [svg('<s:script a=">">a && b</s:script><rect/><script>x</script>'), svg('<rect/>')],
    [
      svg('<style><![CDATA[a{fill:\\75rl(//x.example/a)}]]></style><rect/>'),
      svg('<style>a{fill:\\75rl(#gone)}</style><rect/>'),
    ],
    [
      svg('<style>a{content:"/*";fill:url(https://x.example/a);stroke:"*/"}</style><rect/>'),
      svg('<style>a{content:"/*";fill:url(#gone);stroke:"*/"}</style><rect/>'),
    ],
    [
      svg('<style>/* made at https://x.example */ a{fill:url(#b)}</style><a href="https://x.example"><rect/></a>'),
      null,
    ],
    [svg('<text>and on = 1</text><!-- <script> --><style><![CDATA[<script>]]></style>'), null],
    [
      '<!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY ns "http://x">]><svg xmlns="&ns;" onclick="a"/>',
      '<!DOCTYPE svg PUBLIC "a" "b"><svg xmlns="http://x"/>',
    ],
    [
      `<?xml version="1.0"?><!-- < --><!DOCTYPE svg [<!-- ]> --><!ENTITY h 'hr'><!ENTITY h "x"> <!ENTITY j "java">]>${svg('<a><set attributeName="&h;ef" to="&j;script:x"/><animate attributeName="&h;ef"/></a>')}`,
      `<?xml version="1.0"?><!-- < --><!DOCTYPE svg>${svg('<a></a>')}`,
    ],
    [
      `<!DOCTYPE svg [<!ENTITY a "]>"><!ENTITY b '"&#169;'>]>${svg('<text x="&b;">&a;&eacute;<![CDATA[&a;]]></text>')}`,
      `<!DOCTYPE svg>${svg('<text x="&#34;©">]&#62;é<![CDATA[&a;]]></text>')}`,
    ],
    [
      `<!DOCTYPE svg [<!ENTITY j "/">]>${svg('<img src="/&j;x"/><img srcset="/&j;x 1x"/><g mask="url(/&j;x)"/><style>a{fill:url(/&j;x)}</style>')}`,
      `<!DOCTYPE svg>${svg('<img/><img/><g/><style>a{fill:url(#gone)}</style>')}`,
    ],
    [
      svg('<style>@import "/\t/x"; @import url("data:text/css,b{}"); a{fill:url("/\\a /x")}</style>'),
      svg('<style>  a{fill:url("#gone")}</style>'),
    ],
    [svg('<style><![CDATA[</style]]>@import "//x.example";</style><rect/>'), svg('<rect/>')],
    [svg('<rect style="mask:u\\rl(//x.example)" mask="u\\rl(//x.example)"/>'), svg('<rect/>')],
  ])('lose that and nothing else: %s', (text, cleaned) => {
    expect(cleanSvg(text)).toBe(cleaned ?? text)
  })

  it.each([
    svg('<g>'),
    svg('<script>if (a<b) c()<rect/>'),
    svg('<script>a<b</script><g></a>'),
    svg('<scr<script></script>ipt>alert(1)</scr<script></script>ipt>').replace('ipt>', 'ipt/>'),
    '+ADw-svg onload=+ACI-x+ACI-/+AD4-',
    `${svg('')}</g>`,
    svg('<g></a>'),
    svg('<g a=b/>'),
    svg('<g a="<"/>'),
    svg('<g "/>'),
    svg('<'),
    svg('<!-- '),
    svg('<rect/>', ' a="\uFFFD"'),
    '<!DOCTYPE svg PUBLIC "[" "x"><svg/>]><svg/>x</g>',
    '<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]><svg>&x;</svg>',
    '<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;">]><svg><a href="&c;"/></svg>',
    '<!DOCTYPE svg [<!ENTITY % a "b">%a;]><svg/>',
    '<!DOCTYPE svg [<!ENTITY a SYSTEM "b">]><svg/>',
    `<!DOCTYPE svg [<!ENTITY a "${'b'.repeat(1_000)}">]><svg>${'&a;'.repeat(2_000)}</svg>`,
    '<!doctype svg><svg onload="x"/>',
  ])('stay out where they are no well-formed XML, or hide something in entities: %s', (text) => {
    expect(cleanSvg(text)).toBe(null)
  })

  it('may have long comments and declarations', () => {
    const long = 'x '.repeat(4 * 1024 ** 2)
    const before = `<!--${long}--><!DOCTYPE svg`
    expect(cleanSvg(`${before} [<!--${long}--><!ATTLIST svg ${long}>]>${svg('')}`)).toBe(`${before}>${svg('')}`)
  })

  it('lose addresses and links of other sites in every spelling, and keep their own', () => {
    const references = (letter: string) => [
      letter,
      `&#${letter.charCodeAt(0)};`,
      `&#x0${letter.charCodeAt(0).toString(16)};`,
      `&e${letter.charCodeAt(0)};`,
    ]
    const escapes = (letter: string) => [
      letter,
      `\\${letter.charCodeAt(0).toString(16)} `,
      `\\0000${letter.charCodeAt(0).toString(16)}\t`,
      ...(/[g-z/:]/.test(letter) ? [`\\${letter}`] : []),
    ]
    const breaks = fc.constantFrom('', '', '&#9;', '&#10;')
    const spelled = (text: string, ways: (letter: string) => readonly string[]) =>
      fc.tuple(...Array.from(text, (letter) => fc.constantFrom(...ways(letter)))).map((letters) => letters.join(''))
    const declared = [...new Set('https://x.example/a.b:href')]
      .map((letter) => `<!ENTITY e${letter.charCodeAt(0)} "${letter}">`)
      .join('')
    const cleanedOf = (content: string) => cleanSvg(`<!DOCTYPE svg [${declared}]>${svg(content)}`)
    const drawing = (content: string) => `<!DOCTYPE svg>${svg(content)}`
    const addresses = fc.constantFrom('//x.example/a', 'https://x.example/a', 'https:x.example/a')
    const ofAddress = (ways: (letter: string) => readonly string[]) => addresses.chain((text) => spelled(text, ways))
    fc.assert(
      fc.property(
        ofAddress(references),
        ofAddress(escapes),
        spelled('url', escapes),
        spelled('href', references),
        breaks,
        spelled('a/x.b', escapes),
        (address, css, url, href, gap, own) => {
          const split = gap === '' ? address : address.replace(/^(&[^;]*;|.)/, `$1${gap}`)
          expect(cleanedOf(`<image href="${split}"/><img src='${split}'/>`)).toBe(drawing('<image/><img/>'))
          expect(cleanedOf(`<img srcset="a 1x, ${address} 2x"/>`)).toBe(drawing('<img/>'))
          expect(cleanedOf(`<set attributeName="${href}" to="x"/><g/>`)).toBe(drawing('<g/>'))
          expect(cleanedOf(`<g mask="${url}('${css}')"/><g mask='url(${split})'/>`)).toBe(drawing('<g/><g/>'))
          expect(cleanedOf(`<style>a{b:${url}("${css}")}</style>`)).toBe(drawing(`<style>a{b:${url}("#gone")}</style>`))
          const kept = `<g mask="${url}('${own}')"/><style>a{b:${url}("${own}")}</style>`
          expect(cleanedOf(kept)).toBe(drawing(kept))
        },
      ),
    )
  })

  it('run nothing and keep their shapes, whatever they contain', () => {
    const shapes = fc.constantFrom(
      '<path d="M0 0h9"/>',
      '<rect width="1"/>',
      '<circle r="2"></circle>',
      '<text>on = x</text>',
    )
    const active = fc.constantFrom(
      '<script>alert(1)</script>', '<s:script xmlns:s="http://www.w3.org/2000/svg"/>', '<SCRIPT href="x"/>', '<script><path/></script>',
      '<iframe src="x"></iframe>', '<object data="x"><embed/></object>', '<animate attributeName="xlink:href" values="x"/>',
      '<a href="javascript:x">t</a>', '<a xlink:href=" java&#9;script:x">t</a>', '<use href="data:image/svg+xml,x"/>',
      '<handler type="x">a</handler>', '<link href="x"/>', '<image href="data:text/html,x" onerror="y"/>',
    ) // prettier-ignore
    const handler = fc.constantFrom(
      '',
      ' onload="a"',
      " ONCLICK = 'b'",
      '\n\tonfocus\n=\n"c"',
      ' fill="red" onbegin=""',
    )
    const tree = fc.letrec<{ node: string; list: string }>((tie) => ({
      list: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
      node: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        shapes,
        active,
        fc.tuple(handler, tie('list')).map(([attributes, inner]) => `<g${attributes}>${inner}</g>`),
        fc
          .tuple(handler, tie('list'))
          .map(
            ([attributes, inner]) =>
              `<foreignObject><form action="javascript:x"${attributes}>${inner}</form></foreignObject>`,
          ),
      ),
    }))
    const shapesIn = (text: string) =>
      [...text.replace(/<script>.*?<\/script>/g, '').matchAll(/<(?:path|rect|circle|text)\b/g)].length
    fc.assert(
      fc.property(handler, tree.list, (attributes, content) => {
        const text = svg(content, attributes)
        const cleaned = cleanSvg(text)
        expect(cleaned).not.toBe(null)
        const elements = elementsOf(cleaned ?? '')
        const names = elements.map(({ tagName }) => tagName.toLowerCase().replace(/^.*:/, ''))
        expect(names.filter((name) => /^(?:script|iframe|object|embed|handler|link|form|animate)$/.test(name))).toEqual(
          [],
        )
        const values = elements.flatMap(({ attrs }) => attrs)
        expect(values.filter(({ name }) => /^on/i.test(name))).toEqual([])
        expect(values.filter(({ value }) => /^(?:javascript|data):/i.test(value.replace(/\s/g, '')))).toEqual([])
        expect(shapesIn(cleaned ?? '')).toBe(shapesIn(text))
      }),
      { numRuns: 1_000 },
    )
  })
})
