import type { ElectronApplication } from 'playwright'

/** Watches notifications without a system that would show them. Returns a click on the first one, if it is still in memory. */
export async function watchNotices(app: ElectronApplication): Promise<{ readonly click: () => Promise<void> }> {
  // Held weakly, as Electron does.
  await app.evaluate(({ Notification }) => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose_gc')
    Notification.prototype.show = function () {
      if (Reflect.get(globalThis, 'firstNotice') === undefined)
        Object.assign(globalThis, { firstNotice: new WeakRef(this) })
    }
  })
  return {
    async click() {
      await app.evaluate(() => (process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void)())
      await app.evaluate(() => {
        const notice = Reflect.get(globalThis, 'firstNotice') as WeakRef<Electron.Notification> | undefined
        notice?.deref()?.emit('click')
      })
    },
  }
}
