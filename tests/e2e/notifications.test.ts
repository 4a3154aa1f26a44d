import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aFolder, aFreePort, expectListener, startApp } from './support/app.ts'

test('a notification brings the window back, however old it is', { timeout: 60_000 }, async () => {
  const { app, page, nativeWindow, close } = await startApp({
    library: join(await aFolder(), 'library'),
    port: await aFreePort(),
  })
  await expectListener(page, 'Listening')
  // Held weakly, as Electron does, and without a system that would show it.
  await app.evaluate(({ Notification }) => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose_gc')
    Notification.prototype.show = function () {
      Object.assign(globalThis, { shownNotice: new WeakRef(this) })
    }
  })
  const isVisible = () => nativeWindow.evaluate((shown) => shown.isVisible())
  await nativeWindow.evaluate((shown) => shown.close())
  await expect.poll(isVisible).toBe(false)
  await app.evaluate(() => (process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void)())
  await app.evaluate(() => {
    const notice = Reflect.get(globalThis, 'shownNotice') as WeakRef<Electron.Notification> | undefined
    notice?.deref()?.emit('click')
  })
  await expect.poll(isVisible).toBe(true)
  await close()
})
