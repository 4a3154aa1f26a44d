import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, recordOpenedAddresses, startApp } from './support/app.ts'
import { activeSvg, aCanary, hostilePage } from './support/canary.ts'
import { approved, openDesk, pageIsSeen } from './support/desk.ts'
import { aPicture, chooseView, libraryOf, loadedPages, openReview, pagesUnderReview } from './support/review.ts'

/**
 * Clicks everything clickable in every way. Returns how many targets there are, and how many clicks the page received.
 */
const clickEverything = (app: ElectronApplication) =>
  app.evaluate(async () => {
    const contents = shownPage()
    const inside = (code: string) => contents.executeJavaScriptInIsolatedWorld(7, [{ code }]) as Promise<unknown>
    // Input is handled in one frame, and what it starts in the next.
    const settle = () =>
      inside('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))')
    const count = Number(
      await inside(`globalThis.clicks = 0
        for (const name of ['click', 'auxclick']) addEventListener(name, () => clicks++, true)
        document.querySelectorAll('.try').length`),
    )
    for (let at = 0; at < count; at += 1) {
      const code = `(() => { const it = document.querySelectorAll('.try')[${at}]; it.scrollIntoView({ block: 'center' }); const { x, y, width, height } = it.getBoundingClientRect(); return [x + width / 2, y + height / 2] })()`
      const [x = 0, y = 0] = (await inside(code)) as number[]
      for (const [button, modifiers] of [
        ['left', []],
        ['middle', []],
        ['left', ['control']],
        ['left', ['shift']],
        ['left', ['alt']],
      ] as const) {
        const where = { x: Math.round(x), y: Math.round(y), button, clickCount: 1, modifiers: [...modifiers] }
        contents.sendInputEvent({ type: 'mouseDown', ...where })
        contents.sendInputEvent({ type: 'mouseUp', ...where })
        await settle()
      }
      contents.sendInputEvent({ type: 'keyDown', keyCode: 'Enter' })
      contents.sendInputEvent({ type: 'keyUp', keyCode: 'Enter' })
      await settle()
    }
    return { count, clicks: await inside('clicks') }
  })

/** What a script of the page would try if one ever ran. Its world is not restricted by the page's policy. */
const tryAsScript = (app: ElectronApplication, tried: { readonly canary: string; readonly other: string }) =>
  app.evaluate(async (_electron, { canary, other }) => {
    const contents = shownPage()
    const code = `(async () => {
      const within = (promise) => Promise.race([promise, new Promise((_, no) => setTimeout(no, 800, new Error('late')))]).then(() => 'allowed', () => 'refused')
      const socket = (made) => within(new Promise((yes, no) => { const it = made(); it.onopen = yes; it.onerror = no }))
      const image = (src) => within(new Promise((yes, no) => { const it = new Image(); it.onload = yes; it.onerror = no; it.src = src }))
      const outcome = {
        fetch: await within(fetch('${canary}/world-fetch', { mode: 'no-cors' })),
        socket: await socket(() => new WebSocket('${canary.replace('http', 'ws')}/world-socket')),
        image: await image('${canary}/world-image'),
        file: await within(fetch('file:///etc/hostname')),
        shell: await within(fetch('app://galley/renderer/index.html')),
        shellImage: await image('app://galley/thumbnail?press&story&v'),
        place: await within(new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no))),
        camera: await within(navigator.mediaDevices.getUserMedia({ video: true })),
        screen: await within(navigator.mediaDevices.getDisplayMedia()),
        notice: await within(Notification.requestPermission().then((it) => { if (it !== 'granted') throw it })),
        clipboard: await within(navigator.clipboard.readText()),
        usb: await within(navigator.usb.requestDevice({ filters: [] })),
        version: await within(fetch('${other}')),
        versionImage: await image('${other}'),
        window: open('${canary}/world-open') === null ? 'refused' : 'allowed',
      }
      navigator.sendBeacon('${canary}/world-beacon')
      const link = document.createElement('link'); link.rel = 'dns-prefetch'; link.href = '//world.galley-canary.test'; document.head.append(link)
      location.assign('${canary}/world-location')
      return outcome
    })()`
    const outcome = (await contents.executeJavaScriptInIsolatedWorld(7, [{ code }], true)) as Record<string, string>
    contents.downloadURL(`${canary}/download`)
    // Without the policy, which only restricts pages: what the session itself allows.
    for (const url of [`${canary}/session`, 'file:///etc/hostname', 'galley-review://page/page', other]) {
      const isAllowed = contents.session.fetch(url).then(({ ok }) => ok)
      outcome[url] = (await isAllowed.catch(() => false)) ? 'allowed' : 'refused'
    }
    return outcome
  }, tried)

declare global {
  /** The page under review that is seen, or the one that is. Set in main by `watchPages`. */
  function shownPage(): Electron.WebContents
  /** What pages under review did that they must not do. */
  var seen: string[]
}

/** Logs what every page under review does from its first moment on, to a file per session. */
const watchPages = (app: ElectronApplication, folder: string) =>
  app.evaluate(({ app, BrowserWindow }, folder) => {
    globalThis.seen = []
    globalThis.shownPage = () => {
      const shown = BrowserWindow.getAllWindows()
        .flatMap((window) => window.contentView.children as Electron.WebContentsView[])
        .map(({ webContents }) => webContents)
        .findLast((each) => each?.getURL().startsWith('galley-review:'))
      if (!shown) throw new Error('There is no page under review')
      return shown
    }
    const logged = new Set<Electron.Session>()
    app.on('web-contents-created', (_event, contents) => {
      const { session } = contents
      if (session.isPersistent()) return
      // Those of thumbnails are offscreen.
      const where = contents.isOffscreen() ? 'offscreen' : 'on screen'
      contents.on('did-navigate', (_event, url) => seen.push(`${where}: ${url}`))
      contents.on('did-create-window', () => seen.push('window'))
      if (logged.has(session)) return
      // A click with Alt is now and then asked of the session, which refuses it before anything is requested.
      session.on('will-download', ({ defaultPrevented }) => (defaultPrevented ? undefined : seen.push('download')))
      void session.netLog.startLogging(`${folder}/${logged.size}.json`)
      logged.add(session)
    })
    Object.assign(globalThis, { logged })
  }, folder)

/** Names and parameters of the events that would have left this computer, in all sessions. */
async function eventsOutside(app: ElectronApplication, folder: string): Promise<readonly unknown[]> {
  await app.evaluate(async () => {
    const { logged } = globalThis as unknown as { logged: Set<Electron.Session> }
    for (const { netLog } of logged) await netLog.stopLogging()
  })
  const outside: unknown[] = []
  for (const file of await readdir(folder)) {
    const { constants, events } = JSON.parse(await readFile(join(folder, file), 'utf8')) as {
      constants: { logEventTypes: Record<string, number> }
      events: { type: number; params?: unknown }[]
    }
    const nameOf = new Map(Object.entries(constants.logEventTypes).map(([name, type]) => [type, name]))
    const leadsOutside =
      /^(HOST_RESOLVER_MANAGER_JOB|HOST_RESOLVER_SYSTEM|DNS_TRANSACTION|TCP_CONNECT|SSL_|UDP_BYTES_SENT)/
    const known = [...nameOf.values()].flatMap((name) => leadsOutside.exec(name)?.[1] ?? [])
    expect(new Set(known).size, 'kinds of events that this Chromium knows').toBeGreaterThan(3)
    expect(events.length, 'what the page tried is in the log').toBeGreaterThan(0)
    for (const { type, params } of events)
      if (leadsOutside.test(nameOf.get(type) ?? '')) outside.push([nameOf.get(type), params])
  }
  return outside
}

/** Shows the hostile version; returns once it is loaded, with the address of another version that was shown. */
type Shows = (opened: {
  readonly app: ElectronApplication
  readonly page: Page
  readonly versions: Readonly<Record<string, readonly string[]>>
}) => Promise<string>

/** The address of the version that the hostile one is compared with. */
async function earlierPage(app: ElectronApplication): Promise<string> {
  const calm = async () => (await loadedPages(app)).findLast(({ text }) => text.includes('Calm'))?.url ?? ''
  await expect.poll(calm).not.toBe('')
  return await calm()
}

const inWindow: Shows = async ({ app, page, versions }) => {
  const [versionId = ''] = versions['story'] ?? []
  const frame = await openReview(app, page, { materialId: 'story', versionId })
  const shown = pagesUnderReview(app)
  await expect.poll(async () => (await shown()).map(({ text }) => text.trim())).toStrictEqual(['Calm'])
  await frame.keyboard.press('p')
  await expect.poll(async () => (await shown())[0]?.text ?? '').toContain('Hostile')
  await pageIsSeen(frame)
  return await earlierPage(app)
}

const onDesk: Shows = async ({ app, page, versions }) => {
  const firsts = Object.entries(versions).map(([materialId, [versionId = '']]) => ({ materialId, versionId }))
  await approved(page, firsts)
  await openDesk(page)
  const marks = `[...CSS.highlights.keys()].filter((name) => name.startsWith('galley-')).length`
  expect(
    await app.evaluate((_electron, code) => shownPage().executeJavaScriptInIsolatedWorld(7, [{ code }]), marks),
    'marks on the page',
  ).toBeGreaterThan(0)
  return await earlierPage(app)
}

const inTheme: Shows = async (opened) => {
  const { app, page } = opened
  await onDesk(opened)
  await chooseView(page, 'Inside the theme of the site')
  // The theme is around both versions, and its scripts do not run either.
  const themed = `document.querySelector('.galley-page') === null ? '' : document.body.innerText`
  await expect
    .poll(() => app.evaluate((_electron, code) => shownPage().executeJavaScriptInIsolatedWorld(7, [{ code }]), themed))
    .toContain('Hostile')
  return await earlierPage(app)
}

test.each([
  ['in a window', inWindow],
  ['on the desk, with marks', onDesk],
  ['on the desk, inside the theme of its site', inTheme],
])('a hostile page %s reaches nothing, navigates nowhere and starts nothing', async (_, show) => {
  const canary = await aCanary()
  const port = await aFreePort()
  const folder = await aFolder()
  const library = join(folder, 'library')
  const secretFile = join(folder, 'secret.png')
  await writeFile(secretFile, aPicture)
  const others = await libraryOf(library, port, {
    other: [
      {
        html: '<img src="dummy-theirs.png">',
        files: { 'theirs.png': Buffer.concat([aPicture, Buffer.from('theirs')]) },
      },
    ],
  })
  const media = others.publicUrls['other']?.['theirs.png'] ?? ''
  expect(media).toContain('/media/')
  const { environment, versions } = await libraryOf(library, port, {
    story: [
      { html: '<h1>Calm</h1>' },
      {
        html: hostilePage(canary.url, { media, secretFile: `file://${secretFile}` }),
        files: { 'own.png': aPicture, 'active.svg': activeSvg(canary.url) },
      },
    ],
  })
  const { app, page, close } = await startApp({ library, port, environment })
  const openedAddresses = await recordOpenedAddresses(app)
  await expectListener(page, 'Listening')
  const logs = await aFolder()
  await watchPages(app, logs)
  const other = await show({ app, page, versions: { ...others.versions, ...versions } })
  expect(other).toMatch(/^galley-review:/)

  // Thumbnails for the list are drawn offscreen in the meantime.
  const countContents = () =>
    app.evaluate(({ webContents }) => webContents.getAllWebContents().filter((each) => !each.isOffscreen()).length)
  const contents = await countContents()
  const address = () => app.evaluate(() => shownPage().getURL())
  const url = await address()
  expect(url).not.toBe(other)
  const pictures = await app.evaluate(() => {
    const code = `Object.fromEntries([...document.querySelectorAll('img[id]')].map((image) => [image.id, image.naturalWidth]))`
    return shownPage().executeJavaScriptInIsolatedWorld(7, [{ code }]) as Promise<Record<string, number>>
  })
  // Its own drawings are shown in frames, the page itself is not, and nothing from elsewhere.
  const frames = await app.evaluate(() => {
    const { mainFrame } = shownPage()
    const all = mainFrame.framesInSubtree.filter((each) => each !== mainFrame)
    return { origin: mainFrame.origin, frames: all.map(({ url, origin }) => [url, origin] as const) }
  })
  expect(frames.origin).toBe(/^galley-review:\/\/[0-9a-f]+/.exec(url)?.[0])
  const shownInFrames = frames.frames.filter(
    ([url, origin]) => url.startsWith('galley-review:') && origin === frames.origin,
  )
  expect(shownInFrames.map(([url]) => url.slice(url.lastIndexOf('/') + 1)).toSorted()).toStrictEqual([
    'file-1.svg',
    'file-1.svg',
    'file-1.svg?own',
    // Beside a page in a folder there is nothing at the address of a page that is shown alone.
    ...(show === inTheme ? ['page'] : []),
  ])
  // The picture of another material is public, and an export of this page includes it.
  expect(pictures).toStrictEqual({ far: 0, other: 1, file: 0, data: 1, shell: 0, near: 1, active: 8 })

  const { count, clicks } = await clickEverything(app)
  expect(count).toBe(14)
  // Some are clicked by Enter as well.
  expect(clicks, 'clicks that the page saw').toBeGreaterThanOrEqual(count * 5)
  const tried = await tryAsScript(app, { canary: canary.url, other })
  expect([...new Set(Object.values(tried))], JSON.stringify(tried)).toStrictEqual(['refused'])

  expect(await address()).toBe(url)
  const title = await app.evaluate(
    () => shownPage().executeJavaScriptInIsolatedWorld(7, [{ code: 'document.title' }]) as Promise<string>,
  )
  expect(title, 'no script of the page ran').toBe(show === inTheme ? 'Hostile · Press' : '')
  expect(await countContents(), 'no window was opened').toBe(contents)
  expect(await openedAddresses()).toStrictEqual([])
  const seen = await app.evaluate(() => globalThis.seen)
  const ofThumbnail = /^offscreen: galley-review:\/\/[0-9a-f]+\/page$/
  const onScreen = seen.filter((what) => !ofThumbnail.test(what))
  // Every view has shown one page, under an address that no other load has.
  for (const what of onScreen) expect(what).toMatch(/^on screen: galley-review:\/\/[0-9a-f]+\/(page|.*index\.html)$/)
  expect(new Set(onScreen).size).toBe(onScreen.length)
  expect(onScreen).toEqual(expect.arrayContaining([other, url].map((address) => `on screen: ${address}`)))

  // No connection, no request, and no look-up of a name.
  expect(canary.hits).toStrictEqual([])
  expect(canary.connections()).toBe(0)
  expect(await eventsOutside(app, logs)).toStrictEqual([])

  expect((await fetch(`${canary.url}/alive`)).ok, 'the canary itself sings').toBe(true)
  expect(canary.hits).toStrictEqual(['GET /alive'])
  await close()
})
