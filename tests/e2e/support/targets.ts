import type { ElectronApplication, Page } from 'playwright'

import { answerDialogs } from './dialogs.ts'

/** Adds a folder target to the Harbour Weekly, as its dialog would. */
export async function addFolderTarget(
  app: ElectronApplication,
  page: Page,
  name: string,
  folder: string,
): Promise<void> {
  await answerDialogs(app, folder)
  const saved = await page.evaluate(async (name) => {
    const chosen = await window.galley.call('chooseTargetFolder', { site: 'harbour' })
    return window.galley.call('saveTarget', {
      site: 'harbour',
      name,
      isNew: true,
      publicUrl: null,
      compress: false,
      credentials: null,
      schedule: name === 'live' ? '06:00' : null,
      isLive: false,
      place: { kind: 'folder', chosen: chosen?.token ?? '' },
    })
  }, name)
  if (!saved.ok) throw new Error(saved.failure.code)
}

/** Publishes to a target and waits for the end. */
export async function publishTo(page: Page, target: string): Promise<void> {
  const end = await page.evaluate(async (target) => {
    const order = { site: 'harbour', target, release: null }
    const ended = new Promise<string>((resolve) => {
      const stop = window.galley.on('taskChanged', ({ kind, end }) => {
        if (kind !== 'publish' || end.kind === 'running') return
        stop()
        resolve(end.kind)
      })
    })
    await window.galley.call('startPublish', order)
    return ended
  }, target)
  if (end !== 'done') throw new Error(`Publishing ended as ${end}`)
}
