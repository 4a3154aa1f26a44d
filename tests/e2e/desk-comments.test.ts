import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication } from 'playwright'
import { expect, test } from 'vitest'

import { galleyProcess } from '../support/galley-process.ts'
import { aFolder } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { keepPicture, openDesk, pageIsSeen, seenPage, startDesk } from './support/desk.ts'
import { answerDialogs } from './support/dialogs.ts'
import { aPicture } from './support/review.ts'

const fill = Array.from({ length: 30 }, (_, at) => `<p>Line ${at} of the long story about boats.</p>`).join('')
const story = (standfirst: string, end: string): string =>
  `<style>body { font: 17px/1.6 serif; margin: 40px }</style><h1>A weekend by the harbour</h1>
  <p>${standfirst}</p><p>The <b>quay</b> is old. The quay is long.</p><img src="dummy-a.png" alt="The quay" width="200" height="100">${fill}<p>${end}</p>`

/** Runs a script in the isolated world of the marks, in the page on top. */
const inPage = async (app: ElectronApplication, code: string): Promise<unknown> => {
  const id = (await seenPage(app))?.id ?? 0
  return app.evaluate(
    ({ webContents }, { id, code }) =>
      webContents.fromId(id)?.executeJavaScriptInIsolatedWorld(998, [{ code }]) as Promise<unknown>,
    { id, code },
  )
}

const pins = (app: ElectronApplication) =>
  inPage(
    app,
    `[...globalThis.galley.all.querySelectorAll('u')].map((pin) => pin.style.display === 'none' ? '' : pin.textContent)`,
  )

test('what is selected, chosen or clicked is commented on, keeps its place and is answered', async () => {
  const files = { 'a.png': aPicture }
  const { app, page, close } = await startDesk({
    story: [
      { html: story('Two days and a plate of fish.', 'The last ferry leaves at nine.'), files },
      { html: story('Two days and a bowl of soup.', 'The last ferry leaves at ten.'), files },
    ],
  })
  await openDesk(page)
  const comments = page.getByRole('tabpanel', { name: /^Comments/ })

  // The chosen change, by keys alone.
  await page.keyboard.press('j')
  await page
    .getByRole('button', { name: /^1 Paragraph/ })
    .and(page.locator('[aria-current]'))
    .waitFor()
  await page.keyboard.press('c')
  const field = page.getByRole('textbox', { name: 'Comment', exact: true })
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('Which soup?')
  await page.keyboard.press('Control+Enter')
  await comments.getByRole('article', { name: 'Comment on “bowl of soup”' }).waitFor()
  await expect.poll(() => pins(app)).toEqual(['1'])
  await expect.poll(async () => (await seenPage(app))?.words).toEqual(expect.arrayContaining(['bowl of soup']))

  // A selection over an inline element; the word is in its paragraph twice.
  await inPage(
    app,
    `{ const [p] = [...document.querySelectorAll('p')].slice(1); getSelection().setBaseAndExtent(p.querySelector('b').firstChild, 0, p.lastChild, 7) }`,
  )
  await page.keyboard.press('c')
  await page.getByRole('form', { name: 'Comment on “quay is old”' }).waitFor()
  await page.keyboard.type('How old?')
  await page.keyboard.press('Control+Enter')
  await comments.getByRole('article', { name: 'Comment on “quay is old”' }).waitFor()
  await expectAccessible(page, 'comments beside the page')

  // A picture that is clicked.
  await inPage(app, `getSelection().removeAllRanges()`)
  const [x, y] = (await inPage(
    app,
    `(() => { const { left, top, width, height } = document.querySelector('img').getBoundingClientRect(); return [Math.round(left + width / 2), Math.round(top + height / 2)] })()`,
  )) as [number, number]
  const id = (await seenPage(app))?.id ?? 0
  await app.evaluate(
    ({ webContents }, { id, x, y }) => {
      for (const type of ['mouseDown', 'mouseUp'] as const)
        webContents.fromId(id)?.sendInputEvent({ type, x, y, button: 'left', clickCount: 1 })
      webContents.fromId(id)?.focus()
      webContents.fromId(id)?.sendInputEvent({ type: 'keyDown', keyCode: 'c' })
    },
    { id, x, y },
  )
  await page.getByRole('form', { name: 'Comment on “The quay”' }).waitFor()
  await page.keyboard.type('A better one?')
  await page.keyboard.press('Control+Enter')
  await comments.getByRole('article', { name: 'Comment on “Part of a.png”' }).waitFor()
  await expect.poll(() => pins(app)).toEqual(['1', '2', '3'])

  await keepPicture(app, 'desk-comments')

  // A thread leads to its place.
  await inPage(app, 'scrollTo(0, document.documentElement.scrollHeight)')
  await comments.getByRole('button', { name: 'bowl of soup' }).click()
  await expect.poll(async () => (await seenPage(app))?.y).toBeLessThan(100)

  const thread = comments.getByRole('article', { name: 'Comment on “bowl of soup”' })
  await thread.getByRole('button', { name: 'Reply' }).press('Shift+F10')
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Show in the page', 'Reply', 'Resolve'])
  await page.getByRole('menuitem', { name: 'Reply' }).click()
  await thread.getByRole('textbox').fill('Of lentils.')
  await thread.getByRole('button', { name: 'Send' }).click()
  await thread.getByText('Of lentils.').waitFor()
  await thread.getByRole('button', { name: 'Resolve' }).click()
  await expect.poll(() => pins(app)).toEqual(['1', '2'])
  await comments.getByRole('button', { name: '1 resolved comment' }).click()
  await thread.getByRole('button', { name: 'Reopen' }).click()
  await expect.poll(() => pins(app)).toEqual(['1', '2', '3'])
  await close()
})

test('checks lead to their places, and what goes back to the writer quotes the comments', async () => {
  const pale = '<p style="color: #bbb">A pale line</p>'
  const { app, page, close } = await startDesk({
    story: [
      { html: story('Two days.', pale) },
      {
        html: story('Three days.', `${pale}<p style="color: #ccc">Another one</p><p><a href="#tide">The tide</a></p>`),
      },
    ],
  })
  await openDesk(page)
  await page.getByRole('tab', { name: /^Checks/ }).click()
  const checks = page.getByRole('tabpanel', { name: /^Checks/ })
  const lines = checks.getByRole('listitem')
  await expect
    .poll(() => lines.allTextContents())
    .toEqual([
      'Broken link#tide',
      'Text with too little contrastAnother one',
      'Broken linkdummy-a.png',
      'Text with too little contrastA pale line',
    ])
  await expectAccessible(page, 'checks beside the page')
  await keepPicture(app, 'desk-checks')
  await lines.first().getByRole('button').click()
  await expect.poll(async () => (await seenPage(app))?.y).toBeGreaterThan(300)

  // The text to read, with its words that changed.
  await page.getByRole('tab', { name: 'Text' }).click()
  const text = page.getByRole('tabpanel', { name: 'Text' })
  await expect.poll(() => text.locator('ins').allTextContents()).toEqual(['Three', 'Another one', 'The tide'])
  expect(await text.locator('del').allTextContents()).toEqual(['Two'])
  await expectAccessible(page, 'the text beside the page')
  await keepPicture(app, 'desk-text')

  await page.keyboard.press('j')
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'Comment', exact: true }).waitFor()
  await page.keyboard.type('Two, surely?')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('article', { name: 'Comment on “Three”' }).waitFor()
  await pageIsSeen(page)
  await page.keyboard.press('r')
  await page.getByLabel('What needs to change?').fill('Count the days.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('“A weekend by the harbour”, version 2, is back with its writer.').waitFor()
  await keepPicture(app, 'desk-sent-back')
  await page.getByRole('button', { name: 'Copy for author' }).click()
  await expect
    .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()))
    .toMatch(/harbour.*2[^]*Count the days\.[^]*“Three”\nTwo, surely\?/)
  await close()
})

/** The pictures of each page in a report, from its top. */
const wholePages = (report: string): readonly (readonly string[])[] =>
  [...report.matchAll(/<div class="page">(.*?)<\/div>/g)].map(([, page = '']) =>
    [...page.matchAll(/src="([^"]+)"/g)].map(([, url = '']) => url),
  )

test('a version is saved as a page, a picture and a report, and given back as text', async () => {
  const tall = `<div style="height: 5000px; background: linear-gradient(#fff, #888)">Tall</div>`
  const { app, page, library, close } = await startDesk({
    story: [{ html: story('Two days.', tall) }, { html: story('Three days.', tall) }],
  })
  await openDesk(page)
  const folder = await aFolder()
  const files = ['page.pdf', 'page.png', 'report.html', 'report.pdf', 'named.html'].map((name) => join(folder, name))
  await answerDialogs(app, ...files)
  const items = [
    'Save page as PDF…',
    'Save page as picture…',
    'Save review report…',
    'Save review report as PDF…',
    'Save review report with names…',
  ]
  for (const [at, item] of items.entries()) {
    await page.getByRole('button', { name: 'Save or print' }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
    await page.getByText(`Saved to ${files[at] ?? ''}`).waitFor()
  }
  const [pdf, png, report, reportPdf, named] = await Promise.all(files.map((file) => readFile(file)))
  for (const paper of [pdf, reportPdf]) expect(paper?.subarray(0, 5).toString()).toBe('%PDF-')
  // The size in a PNG's header: all of the page, and no repetition of its top.
  expect(png?.readUInt32BE(20)).toBeGreaterThan(6_000)
  const end = await app.evaluate(({ nativeImage }, path) => {
    const image = nativeImage.createFromPath(path)
    const { width, height } = image.getSize()
    const bitmap = image.toBitmap()
    const grey = (y: number) => bitmap[(y * width + Math.floor(width / 2)) * 4] ?? 0
    return [grey(Math.round(height / 2)), grey(height - 120)]
  }, files[1] ?? '')
  expect(end[1]).toBeLessThan(end[0] ?? 0)
  expect(report?.toString()).toContain('<td>Paragraph edited</td>')
  // Both pages from top to end: 800 of 1280 pixels wide, and darker towards the end.
  const pages = wholePages(report?.toString() ?? '')
  expect(pages).toHaveLength(2)
  for (const slices of pages) {
    const seen = await app.evaluate(({ nativeImage }, urls) => {
      const images = urls.map((url) => nativeImage.createFromDataURL(url))
      const greys = images.map((image) => image.toBitmap()[image.getSize().width * 4 * 2 + 1600] ?? 0)
      const sizes = images.map((image) => image.getSize())
      return {
        widths: new Set(sizes.map(({ width }) => width)).size,
        rows: sizes.reduce((sum, { height }) => sum + height, 0),
        greys,
      }
    }, slices)
    expect(seen.widths).toBe(1)
    expect(seen.rows).toBeGreaterThan((5_000 * 800) / 1280)
    expect(seen.greys.slice(1)).toEqual(seen.greys.slice(1).toSorted((one, other) => other - one))
    expect(seen.greys.at(-1)).toBeLessThan(200)
  }
  // The command line has the pictures that the app has made.
  const again = join(folder, 'again.html')
  expect((await galleyProcess(['report', 'press', 'story', '--out', again], { GALLEY_LIBRARY: library })).code).toBe(0)
  expect(wholePages(await readFile(again, 'utf8'))).toEqual(pages)
  expect(report?.toString()).not.toMatch(/@press\.example|<script/)
  expect(named?.toString()).toContain('Approved')

  await page.getByRole('button', { name: 'Go back to the earlier version…' }).click()
  await expectAccessible(page, 'going back to a version')
  await page.getByRole('button', { name: 'Copy text' }).click()
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toContain('Two days.')

  await page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('button', { name: /^Materials/ })
    .click()
  await page.getByText('A weekend by the harbour').first().dblclick()
  await page.getByRole('img', { name: '1 change, 2 words' }).waitFor()
  await keepPicture(app, 'versions-heat')
  await close()
})

test('a save that changed a commented place says so, and a lost place shows its old quote', async () => {
  const { app, page, versions, close } = await startDesk({
    story: [
      { html: story('Two days and a plate of fish.', 'Gulls steal the herring from the tables of the guests.') },
      { html: story('Two days and a bowl of fish.', 'Painters come for the light.') },
    ],
  })
  const [first = ''] = versions['story'] ?? []
  const quotes = ['and a plate of', 'The quay is long', 'Gulls steal the herring from the tables']
  for (const exact of quotes)
    await page.evaluate(
      ([versionId, exact]) =>
        window.galley.call('addComment', {
          site: 'press',
          materialId: 'story',
          versionId,
          selection: { kind: 'text', exact, prefix: '', suffix: '', near: null },
          text: 'Is it so?',
        }),
      [first, exact] as const,
    )
  await openDesk(page)
  await page.getByRole('tab', { name: 'Comments 3' }).click()
  const states = async (exact: string) => page.getByRole('article', { name: `Comment on “${exact}”` }).innerText()
  await expect.poll(() => states('and a plate of')).toContain('Changed since the comment')
  expect(await states('The quay is long')).toContain('In this version')
  expect(await states('Gulls steal the herring from the tables')).toMatch(
    /No longer in this version[^]*Gulls steal the herring from the tables/,
  )
  await expect.poll(() => pins(app)).toEqual(['1', '2', ''])
  await keepPicture(app, 'desk-comments-lost')
  await close()
})
