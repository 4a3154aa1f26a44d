import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'
import { watchNotices } from './support/notice.ts'

test('a notification brings the window back, however old it is', { timeout: 60_000 }, async () => {
  const { app, page, nativeWindow, close } = await startApp({
    library: join(await aFolder(), 'library'),
    port: await aFreePort(),
  })
  await expectListener(page, 'Listening')
  const notices = await watchNotices(app)
  const isVisible = () => nativeWindow.evaluate((shown) => shown.isVisible())
  await nativeWindow.evaluate((shown) => shown.close())
  await expect.poll(isVisible).toBe(false)
  await notices.click()
  await expect.poll(isVisible).toBe(true)
  await close()
})
