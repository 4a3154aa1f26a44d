import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { atEnd } from './at-end.ts'

/** A server that must never be contacted. It records every connection and every request, and answers all of them. */
export async function aCanary() {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'access-control-allow-origin': '*' })
    response.end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  })
  let connections = 0
  server.on('connection', () => (connections += 1))
  server.on('upgrade', (request, socket) => {
    hits.push(`UPGRADE ${request.url}`)
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, hits, connections: () => connections }
}

/** All ways of a page to send requests on its own, and links and forms for those of a user. */
export function hostilePage(canary: string, others: { readonly media: string; readonly secretFile: string }): string {
  const at = (name: string): string => `${canary}/${name}`
  const socket = at('socket').replace('http', 'ws')
  const reachOut = `
    document.title = 'script ran'; fetch('${at('fetch')}'); navigator.sendBeacon('${at('beacon')}');
    new WebSocket('${socket}'); new EventSource('${at('events')}'); new Image().src = '${at('script-image')}';
    open('${at('open')}'); location = '${at('location')}'; alert('hello')`
  return `<!doctype html><html><head>
    <meta http-equiv="refresh" content="0;url=${at('refresh')}">
    <meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline' data: blob:; sandbox allow-scripts">
    <base href="${at('base/')}" target="_blank">
    <link rel="stylesheet" href="${at('style.css')}"><link rel="icon" href="${at('icon.png')}">
    <link rel="prefetch" href="${at('prefetch')}"><link rel="preload" as="image" href="${at('preload')}">
    <link rel="preconnect" href="${canary}"><link rel="dns-prefetch" href="//looked-up.galley-canary.test">
    <link rel="prerender" href="${at('prerender')}"><link rel="modulepreload" href="${at('module.js')}">
    <link rel="manifest" href="${at('manifest.json')}"><link rel="search" href="${at('search.xml')}">
    <script type="speculationrules">{"prefetch":[{"source":"list","urls":["${at('speculation')}"]}]}</script>
    <style>@import url("${at('import.css')}"); @font-face { font-family: far; src: url(${at('font.woff2')}) }
      @font-face { font-family: near; src: url(file:///etc/hostname) }
      h1 { font-family: far, near; cursor: url(${at('cursor.png')}), auto; background: url(${at('background.png')}) }
      h1::after { content: url(${at('content.png')}) } li { list-style-image: image-set(url(${at('list.png')}) 1x) }
      #mask { mask: url(${at('mask.svg')}#m); filter: url(${at('filter.svg')}#f) }</style>
    <script src="${at('script.js')}"></script><script>${reachOut}</script>
    </head><body onload="${reachOut.replace(/\s+/g, ' ').replaceAll('"', '&quot;')}" background="${at('body.png')}">
    <h1 id="mask">Hostile</h1>
    <img id="far" src="${at('image.png')}" srcset="${at('image-2.png')} 2x" onerror="document.title='handler ran'">
    <img id="other" src="${others.media}"><img id="file" src="${others.secretFile}"><img id="data" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
    <img id="shell" src="app://galley/renderer/index.html"><img id="near" src="dummy-own.png">
    <picture><source srcset="${at('source.png')}"><img src="${at('picture.png')}"></picture>
    <video src="${at('video.mp4')}" poster="${at('poster.png')}" autoplay muted><track default src="${at('track.vtt')}"></video>
    <audio src="${at('audio.mp3')}" autoplay></audio>
    <iframe src="${at('frame')}"></iframe><iframe srcdoc="<img src='${at('srcdoc.png')}'><script>parent.document.title=1</script>"></iframe>
    <iframe src="app://galley/renderer/index.html"></iframe><iframe src="file:///etc/hostname"></iframe>
    <iframe src="javascript:top.document.title='frame ran'"></iframe>
    <object data="${at('object')}"></object><embed src="${at('embed')}"><object data="dummy-active.svg"></object>
    <iframe name="own" src="dummy-active.svg?own"></iframe><iframe sandbox="allow-scripts allow-top-navigation" src="dummy-active.svg?2"></iframe>
    <embed src="dummy-active.svg"><iframe src="page"></iframe><iframe src="data:text/html,<script>top.document.title=2</script><img src='${at('data-frame.png')}'>"></iframe>
    <svg width="20" height="20"><use href="dummy-active.svg#g"/></svg>
    <svg width="20" height="20"><image href="${at('svg.png')}" width="9" height="9"/><use href="${at('use.svg')}#a"/>
      <script>document.title='svg ran'</script><a href="${at('svg-link')}"><rect width="9" height="9"/></a></svg>
    <img id="active" src="dummy-active.svg">
    <input type="image" src="${at('input.png')}"><table background="${at('table.png')}"><tr><td>x</td></tr></table>
    <ul><li>item</li></ul>
    <p><a class="try" href="${at('link')}" ping="${at('ping')}">link</a></p>
    <p><a class="try" href="${at('blank')}" target="_blank" rel="opener">blank</a></p>
    <p><a class="try" href="${at('download')}" download="x.bin">download</a></p>
    <p><a class="try" href="dummy-own.png" download="own.png">own download</a></p>
    <p><a class="try" href="dummy-active.svg" target="_self">own svg</a></p>
    <p><a class="try" href="file:///etc/hostname" target="_self">file</a></p>
    <p><a class="try" href="${at('into-frame')}" target="own">into a frame</a></p>
    <p><a class="try" href="page" target="own">the page into a frame</a></p>
    <p><a class="try" href="mailto:someone@example.test" target="_self">mail</a></p>
    <p><a class="try" href="galley-test:something" target="_self">other program</a></p>
    <p><a class="try" href="javascript:document.title='link ran'" target="_self">script</a></p>
    <p><a class="try" href="app://galley/renderer/index.html" target="_self">shell</a></p>
    <form action="${at('form')}" target="_self"><input name="q" value="1"><button class="try">send</button></form>
    <form action="${at('post')}" method="post" target="_blank"><button class="try">post</button></form>
    </body></html>`
}

/** A picture that would send requests if it ran any script. */
export const activeSvg = (canary: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" onload="fetch('${canary}/svg-load')">
      <script>fetch('${canary}/svg-script')</script><image href="${canary}/svg-image.png" width="8" height="8"/>
      <style>@import url(${canary}/svg-style.css);</style><rect id="g" width="8" height="8"/>
      <a href="${canary}/svg-link" target="_top"><rect width="8" height="8"/></a>
      <foreignObject width="8" height="8"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${canary}/svg-frame"/></foreignObject></svg>`,
  )
