import { expect, test } from 'vitest'

import { expectAccessible } from './support/axe.ts'
import { comeToRest } from './support/come-to-rest.ts'
import { deskPages, keepPicture, openDesk, pageIsSeen, seenPage, startDesk } from './support/desk.ts'
import { chooseView } from './support/review.ts'

const lines = Array.from({ length: 40 }, (_, at) => `<p>Line ${at} of the long story about boats and the weather.</p>`)
const page = (colour: string, top: string): string =>
  `<style>body { font: 17px/1.6 serif; margin: 40px } h2 { color: ${colour} } nav { position: fixed; top: 0; right: 0 }</style>
  <nav>Menu</nav><h1>A weekend by the harbour</h1>${top}${lines.slice(0, 20).join('')}<h2>Painters</h2>${lines.slice(20).join('')}`

test('pages are laid above each other as pictures, and what only pixels tell is a change', async () => {
  const {
    app,
    page: desk,
    close,
  } = await startDesk({
    story: [{ html: page('#222222', '') }, { html: page('#c02020', '<p>A new paragraph moves all below it.</p>') }],
  })
  await openDesk(desk)
  // The heading has another colour by the style sheet alone: neither its text nor its attributes changed.
  const list = desk.getByRole('region', { name: '2 changes' }).locator('ol button[data-desk]')
  await list.nth(1).waitFor()
  expect(await list.allInnerTexts()).toEqual([
    expect.stringContaining('Paragraph added'),
    expect.stringMatching(/Heading looks different\s+Painters/),
  ])
  await keepPicture(app, 'looks')
  for (const [key, mode] of [
    ['3', 'swipe'],
    ['4', 'onion'],
    ['5', 'difference'],
  ] as const) {
    await desk.keyboard.press(key)
    const layers = desk.locator(`[data-layers=${mode}]`)
    await layers.waitFor()
    // The pictures are there, and the insertion differs, but nothing below it.
    await expect
      .poll(() =>
        layers
          .locator('img')
          .evaluateAll((all) => all.every((each) => (each as HTMLImageElement).naturalWidth === 1280)),
      )
      .toBe(true)
    const [share] = /[\d.]+(?=%)/.exec(await desk.locator('figcaption').innerText()) ?? []
    expect(Number(share)).toBeGreaterThan(0.5)
    expect(Number(share)).toBeLessThan(5)
    await comeToRest(desk)
    await keepPicture(app, mode)
  }
  await expectAccessible(desk, 'pictures at the desk')
  await desk.getByRole('combobox', { name: 'Width of the pictures' }).click()
  await desk.getByRole('option', { name: 'All three widths' }).click()
  await expect.poll(() => desk.locator('[data-layers]').count()).toBe(3)
  await keepPicture(app, 'widths')
  await desk.keyboard.press('1')
  await desk.getByRole('button', { name: /^The page under review/ }).waitFor()
  await close()
})

test('a page of which nothing changed is looked at by itself, at three widths', async () => {
  const same = page(
    '#222222',
    '<style>@keyframes runs { to { translate: 90px } } i { animation: runs 1s infinite }</style><video controls></video><i>Runs</i>',
  )
  const { page: desk, close } = await startDesk({
    quiet: [{ html: same }, { html: `${same}<!-- Nothing that anybody sees. -->` }],
    restyled: [{ html: same.replace('</style>', '</style> ') }, { html: page('#222222', '<p>More</p>') }],
  })
  const looked = () =>
    desk.evaluate(async () => {
      const query = { site: null, states: ['changed'], order: 'oldest', offset: 0, limit: 10 } as const
      const { rows } = await window.galley.call('reviewQueue', { ...query, states: [...query.states] })
      return Object.fromEntries(rows.map(({ materialId, summary }) => [materialId, summary?.looksEqual ?? null]))
    })
  await expect.poll(looked, { timeout: 120_000 }).toEqual({ quiet: true, restyled: null })
  await close()
})

test('how a part of a page looks is ignored from now on, but not its words', async () => {
  const clock = (colour: string, time: string): string =>
    page('#222222', `<style>.clock { color: ${colour} }</style><p class="clock">It is ${time} in the harbour.</p>`)
  const {
    app,
    page: desk,
    save,
    close,
  } = await startDesk({ story: [{ html: clock('#222222', 'noon') }, { html: clock('#c02020', 'noon') }] })
  await openDesk(desk)
  const list = desk.getByRole('tabpanel', { name: 'Changes' }).locator('ol button[data-desk]')
  await desk.getByText('Paragraph looks different').waitFor()
  await desk.getByRole('button', { name: 'Ignore this part from now on' }).click()
  const told = desk.getByText('Looks are no longer compared: It is noon in the harbour.')
  await told.waitFor()
  // Otherwise it would fade while axe looks at colours.
  await desk.getByRole('button', { name: 'Dismiss' }).click()
  await told.waitFor({ state: 'detached' })
  await desk.getByText('Paragraph looks different').waitFor({ state: 'detached' })
  const ignored = desk.getByText('Parts whose looks are not compared')
  await ignored.waitFor()
  await comeToRest(desk)
  await keepPicture(app, 'ignored')
  await expectAccessible(desk, 'ignored parts at the desk')
  // Pixels in it do not count either.
  await desk.keyboard.press('5')
  await desk.getByText('0% of the pixels differ').waitFor()
  await desk.keyboard.press('1')

  // In the next version the part is found again; its new words are listed, its colour is not.
  await save('story', { html: clock('#2020c0', 'midnight').replace('<h1>', '<p>A new line above.</p><h1>') })
  await desk.getByRole('button', { name: 'Show version 3' }).click()
  await desk.getByText('Paragraph edited').waitFor()
  await expect.poll(() => list.count()).toBe(2)
  await ignored.waitFor()
  expect(await desk.getByText('Not found in this version').count()).toBe(0)

  // Without it, all of it is compared, which is said.
  await save('story', { html: page('#222222', '') })
  await desk.getByRole('button', { name: 'Show version 4' }).click()
  await desk.getByText('Not found in this version: everything is compared').waitFor()
  await desk.getByRole('button', { name: /^Compare again/ }).click()
  await ignored.waitFor({ state: 'detached' })
  await close()
})

test('a page is shown inside the theme of its site, and its blocks are found there', async () => {
  const framed = (colour: string, top: string, word: string): string =>
    `<body class="story">${page(colour, top)}<p>The ${word} of the story.</p></body>`
  const {
    app,
    page: desk,
    close,
  } = await startDesk({
    story: [{ html: framed('#222222', '', 'end') }, { html: framed('#222222', '<p>A new line.</p>', 'close') }],
    loose: [{ html: '<p>Alone.</p>' }, { html: '<style>p { margin: 0 }</style><p>Not alone.</p>' }],
  })
  await openDesk(desk)
  const look = async () => {
    const seen = await seenPage(app)
    return { text: seen?.text ?? '', words: seen?.words ?? [] }
  }
  await expect.poll(async () => (await look()).words).toEqual(['close'])
  expect((await look()).text).not.toMatch(/press/i)
  await chooseView(desk, 'Inside the theme of the site')
  // Inside a theme it has the address that it has on its site.
  const isInTheme = async () => (await deskPages(app)).at(-1)?.endsWith('/index.html')
  await expect.poll(isInTheme).toBe(true)
  await pageIsSeen(desk)
  expect((await look()).text).toMatch(/press/i)
  expect((await look()).words).toEqual(['close'])
  await keepPicture(app, 'in-theme')
  await desk.keyboard.press('j')
  await desk.keyboard.press('j')
  await expect.poll(async () => (await seenPage(app))?.y ?? 0).toBeGreaterThan(200)
  await keepPicture(app, 'in-theme-change')

  // A comment on what was clicked there is about that place of the stored page.
  await desk.keyboard.press('c')
  await desk.getByRole('textbox', { name: 'Comment', exact: true }).waitFor()
  await desk.keyboard.type('Which one?')
  await desk.keyboard.press('Control+Enter')
  await desk.getByRole('article', { name: 'Comment on “close”' }).waitFor()

  // The pictures have the theme too.
  await desk.keyboard.press('5')
  await desk.locator('[data-layers=difference]').waitFor()
  await comeToRest(desk)
  await keepPicture(app, 'in-theme-difference')
  await desk.keyboard.press('1')

  // A fragment begins with what a browser moves to the head.
  await desk.keyboard.press('n')
  await desk.getByRole('heading', { name: 'loose' }).waitFor()
  await pageIsSeen(desk)
  expect((await look()).text).toContain('Not alone.')
  expect((await look()).text).toMatch(/press/i)
  await expect.poll(async () => (await look()).words.join(' ')).toContain('Not')
  await close()
})
