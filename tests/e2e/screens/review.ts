import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect } from 'vitest'

import { pageIsSeen } from '../support/desk.ts'
import { closeReviews } from '../support/review-windows.ts'
import { chooseView, isReview, openReview, pagesUnderReview, versionRead } from '../support/review.ts'
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

/** A version compared with the one that is two before it. */
const compared = (
  name: string,
  look: (page: Page, around: Surroundings) => Promise<void>,
  size: readonly [number, number] = usual,
): ScreenState => ({
  name,
  size,
  async show(shell, around) {
    const review = await open(shell, around, { against: 2, size })
    await pageIsSeen(review.page)
    await look(review.page, around)
    return review
  },
  leave: (_shell, around) => closeReviews(around.app),
})

const changedLine = (page: Page): Promise<void> => page.locator('.cm-changedLine').first().waitFor()

export const reviewStates: readonly ScreenState[] = [
  compared('review', (_page, around) => pagesShown(around, 1)),
  compared('review-phone', async (page, around) => {
    await chooseView(page, 'Phone, 390 px')
    await pagesShown(around, 1)
  }),
  compared('review-keys', async (page) => {
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  }),
  compared('review-compare', async (page, around) => {
    await page.keyboard.press('2')
    await pagesShown(around, 2)
  }),
  {
    ...compared('review-rejected', async (page) => {
      await page.keyboard.press('r')
      await page.keyboard.type('Say which market: there are two, and the one by the pier closed in October.')
      await page.keyboard.press('Control+Enter')
      await versionRead(page).getByText('the one by the pier').waitFor()
    }),
    async leave(_shell, around) {
      const frame = around.app.windows().find((page) => isReview(page))
      await frame?.keyboard.press('z')
      await frame?.getByText('the one by the pier').waitFor({ state: 'detached' })
      await closeReviews(around.app)
    },
  },
  compared('review-html', async (page) => {
    await chooseView(page, 'HTML')
    await changedLine(page)
  }),
  compared('review-state', async (page) => {
    await chooseView(page, 'Editor state')
    await changedLine(page)
  }),
  ...(['review-lightbox', 'review-lightbox-narrow'] as const).map((name, at) =>
    compared(
      name,
      async (page) => {
        await page.locator('[data-desk]').filter({ hasText: 'Picture replaced' }).click()
        const dialog = page.getByRole('dialog', { name: 'market.svg' })
        await dialog.getByRole('region').first().waitFor()
        if (at === 1) await page.keyboard.press('3')
        await dialog.locator(at === 1 ? '[data-layers=swipe]' : 'tbody').waitFor()
      },
      at === 1 ? [800, 700] : usual,
    ),
  ),
  compared('review-media', async (page) => {
    await page.getByRole('tab', { name: 'Media' }).click()
    await page.getByText('Loading').waitFor({ state: 'detached' })
  }),
  compared(
    'review-one-column',
    async (page) => {
      await chooseView(page, 'HTML')
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
