const xhtml = 'xmlns="http://www.w3.org/1999/xhtml"'

/** A drawing; `more` comes before its root element. */
const svg = (content: string, attributes = '', more = ''): string =>
  `${more}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90" ${attributes}>${content}<rect width="90" height="90" fill="teal"/></svg>`

/** Drawings that would run a script or load something from elsewhere when they are opened, by name. */
export function hostileDrawings(canary: string): Readonly<Record<string, string>> {
  const ran = (name: string): string =>
    `document.documentElement.setAttribute('data-ran','${name}');fetch('${canary}/ran-${name}')`
  const host = canary.replace('http://', '')
  const coded = (name: string): string => ran(name).replace(/./g, (letter) => `&#${letter.charCodeAt(0)};`)
  const inner = (name: string): string =>
    `data:image/svg+xml,${encodeURIComponent(svg(`<script>${ran(name)}</script>`, 'id="x"'))}#x`
  return {
    'script.svg': svg(`<script>${ran('script')}</script>`),
    'script-type.svg': svg(`<script type="text/ecmascript"><![CDATA[${ran('script-type')}]]></script>`),
    'script-href.svg': svg(
      `<script href="${canary}/script.js"/><script xlink:href="data:text/javascript,${ran('href')}"/>`,
    ),
    'script-prefix.svg': `<s:svg xmlns:s="http://www.w3.org/2000/svg" width="9" height="9"><s:script>${ran('prefix')}</s:script></s:svg>`,
    'onload.svg': svg('', `onload="${ran('onload')}"`),
    'onload-coded.svg': svg('', `onload="${coded('coded')}"`),
    'onload-broken.svg': svg('', `\n\tonload\n=\n'${ran('broken').replaceAll("'", '&quot;')}'`),
    'onbegin.svg': svg(`<set attributeName="x" to="1" onbegin="${ran('onbegin')}"/>`),
    'onerror.svg': svg(`<image href="lost.png" onerror="${ran('onerror')}"/>`),
    'focus.svg': svg(
      `<a href="#x" id="x" autofocus="" tabindex="1" onfocus="${ran('focus')}"><rect width="9" height="9"/></a>`,
    ),
    'foreign.svg': svg(
      `<foreignObject width="90" height="90"><body ${xhtml} onload="${ran('body')}"><img src="x" onerror="${ran('img')}"/><script>${ran('foreign')}</script><p>Text</p></body></foreignObject>`,
    ),
    'foreign-frame.svg': svg(
      `<foreignObject width="90" height="90"><iframe ${xhtml} src="javascript:${ran('frame').replaceAll("'", '%27')}"/><iframe ${xhtml} srcdoc="&lt;script&gt;parent.${ran('srcdoc')}&lt;/script&gt;"/><embed ${xhtml} src="${canary}/embed"/><object ${xhtml} data="${canary}/object"/></foreignObject>`,
    ),
    'foreign-loads.svg': svg(
      `<foreignObject width="90" height="90"><div ${xhtml} style="background:url(${canary}/div.png)"><img src="${canary}/img.png" srcset="a.png 1x, ${canary}/set.png 2x"/><video src="${canary}/video.mp4" poster="${canary}/poster.png" autoplay=""/><table background="${canary}/table.png"><tr><td>x</td></tr></table><link rel="stylesheet" href="${canary}/link.css"/><meta http-equiv="refresh" content="0;url=${canary}/refresh"/><base href="${canary}/base/"/></div></foreignObject>`,
    ),
    'animate-href.svg': svg(
      `<a class="click"><animate attributeName="href" begin="0s" fill="freeze" values="javascript:${ran('animate').replaceAll("'", '%27')}"/><set attributeName="xlink:href" to="javascript:${ran('set').replaceAll("'", '%27')}"/><rect width="90" height="90"/></a>`,
    ),
    'animate-on.svg': svg(`<set attributeName="onclick" to="${ran('animate-on')}"/>`),
    'link-script.svg': svg(
      `<a class="click" href="javascript:${ran('link').replaceAll("'", '%27')}"><rect width="90" height="90"/></a>`,
    ),
    'link-coded.svg': svg(
      `<a class="click" xlink:href="java&#9;scr&#x69;pt&colon;${ran('entity')}"><rect width="90" height="90"/></a>`,
    ),
    'use-outside.svg': svg(`<use href="${canary}/use.svg#x"/><use xlink:href="${canary}/use-2.svg#x"/>`),
    'use-data.svg': svg(`<use href="${inner('use')}"/><image href="${inner('image')}" width="9" height="9"/>`),
    'image-outside.svg': svg(
      `<image href="${canary}/image.png" width="9" height="9"/><image xlink:href="${canary.replace('http:', '')}/image-2.png" width="9" height="9"/><filter id="f"><feImage href="${canary}/filter.png"/></filter><rect filter="url(#f)" width="9" height="9"/>`,
    ),
    'style-import.svg': svg(
      `<style>@import url("${canary}/import.css"); @import '${canary}/import-2.css'; @font-face{font-family:x;src:url(${canary}/font.woff2)} text{font-family:x}</style><text y="9">x</text>`,
    ),
    'style-escaped.svg': svg(
      `<style><![CDATA[@\\69mport url(${canary}/escaped.css); rect{fill:\\75rl(${canary}/fill.svg#x);mask:url(${canary}/mask.svg#x)}]]></style>`,
    ),
    'style-comment.svg': svg(`<style>a{content:"/*"}rect{mask-image:url(${canary}/hidden.png)}a{content:"*/"}</style>`),
    'style-attribute.svg': svg(
      `<rect style="mask-image:url(${canary}/attribute.png)" width="9" height="9"/><rect style="mask-image:\\75 rl(${canary}/attribute-2.png)" width="9" height="9"/><rect mask="url('${canary}/mask-2.svg#x')" cursor="url(${canary}/cursor.png)" width="9" height="9"/>`,
    ),
    'style-instruction.svg': svg('', '', `<?xml-stylesheet type="text/css" href="${canary}/instruction.css"?>`),
    'style-transform.svg': svg('', '', `<?xml-stylesheet type="text/xsl" href="${canary}/transform.xsl"?>`),
    'entity-markup.svg': svg(
      '&x;',
      '',
      `<!DOCTYPE svg [<!ENTITY x "<script xmlns='http://www.w3.org/2000/svg'>${ran('entity-markup').replaceAll("'", '&#38;#39;')}</script>">]>`,
    ),
    'entity-outside.svg': svg('&x;', '', `<!DOCTYPE svg [<!ENTITY x SYSTEM "${canary}/entity.xml">]>`),
    'entity-doctype.svg': svg('', '', `<!DOCTYPE svg SYSTEM "${canary}/doctype.dtd">`),
    'entity-attlist.svg': svg('', '', `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "${ran('attlist')}">]>`),
    'entity-link.svg': svg(
      '<a class="click" href="&a;&b;"><rect width="90" height="90"/></a>',
      '',
      `<!DOCTYPE svg [<!ENTITY a "java"><!ENTITY b "script:${ran('entity-link')}">]>`,
    ),
    'entity-style.svg': svg(
      `<style>&s;</style>`,
      '',
      `<!DOCTYPE svg [<!ENTITY s "rect{mask-image:url(${canary}/entity.png)}">]>`,
    ),
    'entity-animate.svg': svg(
      `<a class="click"><animate attributeName="&h;ef" begin="0s" fill="freeze" values="&j;script:${ran('entity-animate').replaceAll("'", '%27')}"/><rect width="90" height="90"/></a>`,
      '',
      '<!DOCTYPE svg [<!ENTITY h "hr"><!ENTITY j "java">]>',
    ),
    'entity-set.svg': svg(
      `<a class="click" href="#q"><set attributeName="&h;ef" to="&j;script:${ran('entity-set').replaceAll("'", '%27')}"/><rect width="90" height="90"/></a>`,
      '',
      '<!DOCTYPE svg [<!ENTITY h "hr"><!ENTITY j "java">]>',
    ),
    'entity-loads.svg': svg(
      `<foreignObject width="90" height="90"><img ${xhtml} src="/&j;${host}/entity.png"/><img ${xhtml} srcset="/&j;${host}/entity-set.png 1x"/></foreignObject><rect style="mask-image:url(/&j;${host}/entity-mask.png)" width="9" height="9"/>`,
      '',
      '<!DOCTYPE svg [<!ENTITY j "/">]>',
    ),
    'entity-xhtml.svg': svg(
      `<image href="&sol;&sol;${host}/sol.png" width="9" height="9"/>`,
      '',
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    ),
    'style-letters.svg': svg(`<rect style="mask-image:u\\rl(//${host}/letter.png)" width="9" height="9"/>`),
    'style-tab.svg': svg(`<style>rect{mask-image:url("/\t/${host}/tab.png")}</style>`),
    'style-tab-import.svg': svg(`<style>@import "/\t/${host}/tab.css";</style>`),
    'style-line-break.svg': svg(`<style>rect{mask-image:url("/\\a /${host}/break.png")}</style>`),
    'style-data.svg': svg(`<style>@import url("data:text/css,rect{mask-image:url(${canary}/data.png)}");</style>`),
    'style-end-in-data.svg': svg(
      `<style><![CDATA[</style]]>{} @import "${canary}/end.css"; rect{mask-image:url(${canary}/end.png)}</style>`,
    ),
    'utf-16.svg': `<?xml version="1.0" encoding="UTF-16"?>${svg(`<script>${ran('utf-16')}</script>`)}`,
    'utf-7.svg': `<?xml version="1.0" encoding="UTF-7"?>+ADw-svg xmlns=+ACI-http://www.w3.org/2000/svg+ACI- onload=+ACI-${ran('utf-7')}+ACI-/+AD4-`,
    'html.svg': `<html xmlns="http://www.w3.org/1999/xhtml"><script>${ran('html')}</script></html>`,
    'malformed.svg': `<svg xmlns="http://www.w3.org/2000/svg"><script>${ran('malformed')}</script><g></svg>`,
  }
}

/** Drawings that show something and reach nowhere; they are exported byte for byte. */
export const harmlessDrawings: Readonly<Record<string, string>> = {
  'plain.svg': svg('<circle r="9"/>'),
  'styled.svg': svg('<style>/* made at https://x.example */ rect{fill:url(#g)} a{cursor:pointer}</style>'),
  'linked.svg': svg('<a href="https://x.example/"><text y="9">x</text></a>'),
}
