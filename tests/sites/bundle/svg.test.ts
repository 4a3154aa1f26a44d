import { describe, expect, it } from 'vitest'

import { isPassiveSvg, isPassiveXml } from '../../../packages/sites/bundle/svg.ts'

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`

describe('SVG files', () => {
  it.each([
    svg('<path d="M0 0h24v24H0z" fill="none"/>'),
    svg('<style>.a{fill:#fff}</style><g class="a"><text>once = on time</text></g>'),
    svg('<image xlink:href="data:image/png;base64,AAAA"/><a href="https://example.org"><rect/></a>'),
    svg('<animate attributeName="opacity" from="0" to="1" dur="1s"/>'),
    `<?xml version="1.0" encoding="UTF-8"?>\n${svg('')}`,
    svg(
      '<foreignObject><div xmlns="http://www.w3.org/1999/xhtml" style="color:red">Text<br/>over lines</div></foreignObject>',
    ),
    svg('<image width="1" xlink:href="data:image/svg+xml;base64,PHN2Zy8+" height="1"/>'),
    svg(`<s:feImage href=' data:image/svg+xml,%3Csvg/%3E'/>`),
    svg(
      '<style>.a{fill:url(data:image/svg+xml;base64,AAAA)}</style><g style="mask:url(&quot;data:image/svg+xml,x&quot;)"/>',
    ),
    `<?xml version="1.0" encoding="ISO-8859-1"?>\n${svg('<text>Caf\uFFFD</text>')}`,
    `<?xml version='1.0' encoding='windows-1252' standalone='no'?>${svg('<text>\uFFFD</text>')}`,
    svg('<g title="C:\\a (1).png" style="fill:u\\rl(#a)"/>'),
  ])('that only show something are passive: %s', (text) => {
    expect(isPassiveSvg(text)).toBe(true)
  })

  it.each([
    svg('<script>alert(1)</script>'),
    svg('<SCRIPT/>'),
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>1</s:script></s:svg>',
    svg('', 'onload="alert(1)"'),
    svg('', 'onload\n=\n"alert(1)"'),
    svg('<g id="a"onclick="x()"/>'),
    svg('<foreignObject><body/></foreignObject>'),
    svg('<foreignObject><form xmlns="http://www.w3.org/1999/xhtml" action="x"/></foreignObject>'),
    svg('<foreignObject><x:base xmlns:x="http://www.w3.org/1999/xhtml" href="x"/></foreignObject>'),
    svg('<é:script xmlns:é="http://www.w3.org/1999/xhtml">alert(1)</é:script>'),
    svg('<animate attributeName="é:href" values="x"/>'),
    svg('<image href="data:image/svg+xml,x" onload="alert(1)"/>'),
    svg('<image href="a"/><a href="data:image/svg+xml,x">x</a>'),
    svg('<image title="><a " href="x"/><a href="data:image/svg+xml,x" title="x"/>'),
    svg('<imagery href="data:image/svg+xml,x"/>'),
    `<?xml version="1.0" encoding="ISO-8859-1"?>${svg('<text>\uFFFD</text><script/>')}`,
    `<?xml version="1.0" encoding="iso-2022-jp"?>${svg('')}`,
    `${svg('<text>Caf\uFFFD</text>')}<?xml version="1.0" encoding="ISO-8859-1"?>`,
    svg('<a href="javascript:alert(1)">x</a>'),
    svg('<a href="java&#10;script:alert(1)">x</a>'),
    svg('<a href="&#x6a;avascript&colon;alert(1)">x</a>'),
    svg('<a href="java\n\tscript:alert(1)">x</a>'),
    svg('<a><set attributeName="href" to="x"/></a>'),
    svg('<animate attributeName="xlink:href" values="x"/>'),
    svg('<use href="data:image/svg+xml;base64,AAAA"/>'),
    svg('<iframe xmlns="http://www.w3.org/1999/xhtml" src="x"/>'),
    `<?xml-stylesheet href="x.xsl"?>${svg('')}`,
    '<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]><svg>&x;</svg>',
    '<!DOCTYPE svg [<!ENTITY x "&#60;script>">]><svg>&x;</svg>',
    '<!DOCTYPE svg [<!ENTITY % p SYSTEM "x">%p;]><svg/>',
    '<?xml version="1.0" encoding="utf-7"?><svg/>',
    '<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]><svg/>',
    '<!DOCTYPE svg [<!ENTITY a "java"><!ENTITY b "script:alert(1)">]><svg><a href="&a;&b;"/></svg>',
    '<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]><svg xmlns="&ns_svg;"/>',
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">${svg('<image href="&sol;&sol;x.example/a"/>')}`,
    svg('<g style="mask:u\\rl(//x.example)"/>'),
    svg('<g style="mask:url(&#34;data:image/svg+xml&#34;);fill:url(//x.example)"/>'),
    svg('<g mask="url(/&#9;/x.example)"/>'),
    svg(`<g style='mask:image-set("https:x.example" 1x)'/>`),
    svg(`<g style='--a:"//x.example"'/>`),
    '\uFFFD\uFFFD<\0s\0v\0g\0',
  ])('that can run are active: %s', (text) => {
    expect(isPassiveSvg(text)).toBe(false)
  })
})

describe('other XML files', () => {
  it.each([
    '<?xml version="1.0" encoding="utf-8"?><gpx><link href="https://example.org"/></gpx>',
    '<kml xmlns="http://www.opengis.net/kml/2.2"><description><![CDATA[<script>]]></description></kml>',
  ])('that browsers show as a tree are passive: %s', (text) => {
    expect(isPassiveXml(text)).toBe(true)
  })

  it.each([
    '<x xmlns:h="http://www.w3.org/1999/xhtml"><h:script>1</h:script></x>',
    '<x xmlns:h="http://www.w3.org&#x2f;1999/&#120;html"><h:script>1</h:script></x>',
    '<x><svg xmlns="http://www.w3.org/2000/svg" onload="a"/></x>',
    '<?xml-stylesheet href="x.xsl"?><x/>',
    '<!DOCTYPE x [<!ENTITY a "http://www.w3.org/1999/">]><x xmlns:h="&a;xhtml"/>',
    '<?xml version="1.0" encoding="utf-7"?><x/>',
    '<\0x\0',
  ])('with elements that run are active: %s', (text) => {
    expect(isPassiveXml(text)).toBe(false)
  })
})
