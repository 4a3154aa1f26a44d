import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

import { appLink } from '../../packages/library/records/app-link.ts'
import { aPage } from './support/service.ts'
import { startSiteWindow } from './support/site-window.ts'

test('a link that another program opens shows a version in the window that is there, and does nothing else', async () => {
  const { app, page, save, versions, close } = await startSiteWindow()
  await save('post/one', aPage('First'))
  await save('post/one', aPage('Second'))
  const [, earlier] = await versions('post/one')
  if (earlier === undefined) throw new Error('There is one version')
  const { executable, args, env } = await app.evaluate(() => ({
    executable: process.execPath,
    args: process.argv.slice(1).filter((word) => !/^--(?:inspect|remote-debugging)/.test(word)),
    env: process.env,
  }))
  const follow = async (link: string) => {
    const [code] = await once(spawn(executable, [...args, '--', link], { env, stdio: 'ignore' }), 'exit')
    expect(code).toBe(0)
  }

  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().forEach((window) => window.hide()))
  await follow(appLink({ site: 'press', materialId: 'post/one', versionId: earlier.versionId }))
  const chosen = page.getByRole('row', { selected: true })
  await expect.poll(() => chosen.textContent()).toContain('#1')
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((each) => each.isVisible())))
    .toBe(true)

  await follow(appLink({ site: 'press', materialId: 'post/two', versionId: null }))
  await page.getByText('This page isn’t in the library').first().waitFor()
  await follow('galley://publish/press')
  await page.getByText('This link can’t be read').first().waitFor()
  expect(await versions('post/one')).toHaveLength(2)
  await close()
})
