import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { thumbnailUrl } from '../../src/ipc/thumbnail-url.ts'
import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { aCanary, hostilePage } from './support/canary.ts'
import { libraryOf } from './support/review.ts'

test('thumbnails are drawn once, cached, and cannot reach anything', async () => {
  const canary = await aCanary()
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const media = `http://127.0.0.1:${port}/media/${'0'.repeat(32)}/none.png`
  const { environment, versions } = await libraryOf(library, port, {
    blue: [{ html: '<body style="margin:0;height:5000px;background:#0000ff">' }],
    hostile: [{ html: hostilePage(canary.url, { media, secretFile: 'file:///etc/hostname' }) }],
  })
  const { app, page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  const [blue = '', hostile = ''] = ['blue', 'hostile'].map((materialId) =>
    thumbnailUrl({ site: 'press', materialId, versionId: versions[materialId]?.[0] ?? '' }),
  )
  /** Size of a picture as the window shows it, and the colours in its middle and at its right, where a bar would scroll. */
  const look = (src: string) =>
    page.evaluate(async (src) => {
      const image = new Image()
      image.src = src
      if (
        !(await image.decode().then(
          () => true,
          () => false,
        ))
      )
        return `not a picture: ${src}`
      const { naturalWidth: width, naturalHeight: height } = image
      const canvas = new OffscreenCanvas(width, height)
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0)
      const colourAt = (x: number) => [...(context?.getImageData(x, height / 2, 1, 1).data ?? [])]
      return { width, height, middle: colourAt(width / 2), right: colourAt(width - 2) }
    }, src)
  const colour = [0, 0, 255, 255]
  await expect.poll(() => look(blue)).toStrictEqual({ width: 320, height: 200, middle: colour, right: colour })
  await expect.poll(() => look(hostile)).toMatchObject({ width: 320, height: 200 })
  expect(
    await look(thumbnailUrl({ site: 'press', materialId: 'blue', versionId: 'none' })),
    'a placeholder',
  ).toMatchObject({
    width: 320,
    height: 200,
    middle: [0, 0, 0, 0],
  })
  const kept = await readdir(join(library, 'thumbnails'))
  expect(kept).toHaveLength(2)
  for (const name of kept) expect(name).toMatch(/^[0-9a-f]{64}\.png$/)
  expect(canary.hits).toStrictEqual([])
  expect(canary.connections()).toBe(0)
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length), 'no window is left').toBe(1)
  await close()
})

test('thumbnails of rows that only pass are not asked for, those of rows that rest are', async () => {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const saves = [{ html: '<p>Text</p>' }]
  const materials = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`material-${at}`, saves]))
  const { environment } = await libraryOf(library, port, materials)
  const { page, close } = await startApp({ library, port, environment })
  await expectListener(page, 'Listening')
  const grid = page.getByRole('grid', { name: 'Materials' })
  const withoutPicture = () => grid.locator('[data-row]:not(:has(img))').count()
  await expect.poll(() => grid.locator('[data-row]:has(img)').count()).toBeGreaterThan(5)
  expect(await withoutPicture()).toBe(0)
  /**
   * The rows without a picture while the list is scrolled by its height in every frame, which is fast at any frame
   * rate.
   */
  const passing = () =>
    grid.evaluate(async (list) => {
      let most = 0
      list.scrollTop = 0
      for (let frame = 0; frame < 4; frame += 1) {
        list.scrollTop += list.clientHeight
        await new Promise((resolve) => requestAnimationFrame(resolve))
        most = Math.max(most, list.querySelectorAll('[data-row]:not(:has(img))').length)
      }
      return most
    })
  // A frame that comes late is a rest.
  await expect.poll(passing).toBeGreaterThan(5)
  await expect.poll(withoutPicture).toBe(0)
  await close()
})
