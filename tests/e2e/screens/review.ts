import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect } from 'vitest'

import { closeReviews } from '../support/review-windows.ts'
import { openReview, pagesUnderReview } from '../support/review.ts'
import type { ShownWindow, ScreenState, Surroundings } from './state.ts'

const usual = [1280, 800] as const
const harbour = { site: 'harbour', materialId: 'travel/harbour-weekend' }

interface Opened {
  /** Places in the list of versions, newest first. */
  readonly at?: number
  readonly against?: number
  readonly size?: readonly [number, number]
}

/** Opens a review of the weekend by the harbour in a window of this size, in front of the other one. */
async function open(
  shell: Page,
  { app }: Surroundings,
  { at = 0, against, size: [width, height] = usual }: Opened = {},
): Promise<ShownWindow> {
  const ids = await shell.evaluate(async (material) => {
    const { rows } = await window.galley.call('queryVersions', { ...material, offset: 0, limit: 10 })
    return rows.map(({ versionId }) => versionId as string)
  }, harbour)
  const compareWith = against === undefined ? null : (ids[against] ?? '')
  const page = await openReview(app, shell, { ...harbour, versionId: ids[at] ?? '', compareWith })
  const nativeWindow = await app.browserWindow(page)
  await nativeWindow.evaluate(
    (shown, size) => {
      shown.setContentBounds({ x: 0, y: 0, ...size })
      shown.moveTop()
    },
    { width, height },
  )
  await expect.poll(() => page.evaluate(() => [innerWidth, innerHeight])).toStrictEqual([width, height])

  // Takes a picture of the screen, because stored pages are separate views that a screenshot of the page omits.
  const capture = () =>
    app.evaluate(
      async ({ desktopCapturer, screen }, size) => {
        const [source] = await desktopCapturer.getSources({
          types: ['screen'],
          thumbnailSize: screen.getPrimaryDisplay().size,
        })
        return (
          source?.thumbnail
            .crop({ x: 0, y: 0, ...size })
            .toPNG()
            .toString('base64') ?? ''
        )
      },
      { width, height },
    )
  const picture = async (): Promise<Buffer> => {
    let last = await capture()
    // Pages are rendered by separate processes, so they are at rest when two pictures are equal.
    await expect
      .poll(async () => {
        const before = last
        last = await capture()
        return last === before
      })
      .toBe(true)
    return Buffer.from(last, 'base64')
  }
  return { page, picture }
}

/** Waits until this many pages are in the window with all of their pictures. */
async function pagesShown({ app }: Surroundings, count: number): Promise<void> {
  await expect
    .poll(async () => (await pagesUnderReview(app)()).map(({ pictures }) => pictures.every((width) => width > 0)))
    .toStrictEqual(Array.from({ length: count }, () => true))
}

const onePage = (name: string, key: string, size: readonly [number, number] = usual): ScreenState => ({
  name,
  async show(shell, around) {
    const review = await open(shell, around, { size })
    await review.page.keyboard.press(key)
    await pagesShown(around, 1)
    return review
  },
  leave: (_shell, around) => closeReviews(around.app),
})

const compared = (
  name: string,
  tab: string,
  look: (page: Page) => Promise<void>,
  size: readonly [number, number] = usual,
): ScreenState => ({
  name,
  size,
  async show(shell, around) {
    const review = await open(shell, around, { against: 2, size })
    await pagesShown(around, 2)
    await review.page.getByRole('tab', { name: tab, exact: true }).click()
    await look(review.page)
    return review
  },
  leave: (_shell, around) => closeReviews(around.app),
})

const changedLine = (page: Page): Promise<void> => page.locator('.cm-changedLine').first().waitFor()

export const reviewStates: readonly ScreenState[] = [
  onePage('review', '3'),
  onePage('review-tablet', '2'),
  onePage('review-phone', '1'),
  {
    name: 'review-keys',
    async show(shell, around) {
      const review = await open(shell, around)
      await pagesShown(around, 1)
      await review.page.keyboard.press('?')
      await review.page.getByRole('region', { name: 'Keyboard shortcuts' }).waitFor()
      return review
    },
    leave: (_shell, around) => closeReviews(around.app),
  },
  compared('review-compare', 'Pages', () => Promise.resolve()),
  {
    name: 'review-rejected',
    async show(shell, around) {
      const review = await open(shell, around, { against: 2 })
      await pagesShown(around, 2)
      await review.page.keyboard.press('x')
      await review.page.keyboard.press('r')
      await review.page.keyboard.type('Say which market: there are two, and the one by the pier closed in October.')
      await review.page.keyboard.press('Control+Enter')
      await review.page.getByRole('status').getByText('the one by the pier').waitFor()
      return review
    },
    async leave(_shell, around) {
      const frame = around.app.windows().find((page) => page.url().includes('/review/index.html'))
      await frame?.getByRole('button', { name: 'Clear decision' }).click()
      await frame?.getByRole('status').getByText('the one by the pier').waitFor({ state: 'detached' })
      await closeReviews(around.app)
    },
  },
  compared('review-text', 'Text', changedLine),
  compared('review-html', 'HTML', changedLine),
  compared('review-state', 'Editor state', changedLine),
  compared('review-media', 'Media', (page) => page.getByRole('row').nth(1).waitFor()),
  compared(
    'review-one-column',
    'Text',
    async (page) => {
      await changedLine(page)
      await page.getByRole('button', { name: 'Unified' }).click()
      await page.locator('.cm-deletedChunk').first().waitFor()
    },
    [760, 640],
  ),
  {
    name: 'review-damaged',
    async show(shell, around) {
      await rename(join(around.library, 'files'), join(around.library, 'files-elsewhere'))
      const review = await open(shell, around, { at: 1 })
      await review.page.getByRole('alert').getByRole('button', { name: 'Open Delivery' }).waitFor()
      return review
    },
    async leave(_shell, around) {
      await rename(join(around.library, 'files-elsewhere'), join(around.library, 'files'))
      await closeReviews(around.app)
    },
  },
]
