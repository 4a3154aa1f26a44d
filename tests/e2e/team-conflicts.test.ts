import { expect, onTestFinished, test } from 'vitest'

import { openGalley } from '../support/open-galley.ts'
import { materialsIn, versionIn } from '../support/records.ts'
import { aTeam } from '../support/team.ts'
import { testWindow } from '../support/test-window.ts'
import { aFreePort, goToChecks, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { tabTo } from './support/keyboard.ts'

const post = { site: 'acme', materialId: 'post-1' }

/** The window of a member, another member in this process, and a bucket that can be unreachable for the window only. */
async function aDividedTeam() {
  const away = { keyId: '' }
  const team = await aTeam({ mishap: (_method, _key, keyId) => (keyId === away.keyId ? 'cut_before' : null) })
  const alone = await team.listen()
  expect((await alone.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await alone.close()
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  const environment = { ...team.environment, GALLEY_TEAM_ACCESS_KEY_ID: 'other' }
  const theirs = await openGalley({ folder, secrets: { environment } })
  onTestFinished(() => theirs.close())
  const mine = await startApp({ library: team.library, environment: team.environment, port: await aFreePort() })
  const mark = mine.page.getByRole('contentinfo').getByRole('button', { name: /^Team library/ })
  await mark.getByText('Up to date').waitFor()
  return {
    mine,
    mark,
    theirs: testWindow(theirs),
    divide: (): void => void (away.keyId = 'anyone'),
    unite: (): void => void (away.keyId = ''),
  }
}

test('changes that the team has made too are decided in the window by keyboard', async () => {
  const { mine, mark, theirs, divide, unite } = await aDividedTeam()
  const { page } = mine
  const material = materialsIn(post.site, post.materialId)
  const version = versionIn(post.site, post.materialId, 'v1')
  divide()
  await page.evaluate(
    async ({ material, version }) => {
      await window.galley.call('setFields', { ...material, set: { title: 'Quay at dawn', slug: 'quay' } })
      await window.galley.call('setFields', { ...version, set: { note: 'Check the fares' } })
    },
    { material, version },
  )
  await theirs.calls.setFields({ ...material, set: { title: 'Quay at noon', slug: 'quay' } })
  await theirs.calls.setFields({ ...version, set: { note: 'Fares are fine' } })
  unite()
  await page.evaluate(() => window.galley.call('syncTeam', undefined))
  await mark.getByText('2 changes need a decision').waitFor()

  // Health leads there, and so does the status bar.
  await goToChecks(page)
  const line = page.getByRole('listitem', { name: 'Team library', exact: true })
  await line.getByRole('button', { name: 'Review changes' }).waitFor()
  await tabTo(page, 'Team library: 2 changes need a decision')
  await page.keyboard.press('Enter')
  const list = page.getByRole('list', { name: 'Conflicting changes' })
  const [title, note] = [
    list.getByRole('listitem', { name: 'Quay at noon, Title' }),
    list.getByRole('listitem', { name: 'Quay at noon, Note, version #1' }),
  ]
  await title.getByText('Quay at dawn').waitFor()
  await note.getByText('Check the fares').waitFor()
  await note.getByText('Fares are fine').waitFor()
  await expectAccessible(page)

  const announced = page.locator('[data-announcer="polite"]')
  await tabTo(page, 'Keep mine: Quay at noon, Title')
  await page.keyboard.press('Enter')
  await expect.poll(() => announced.textContent()).toBe('Your change is kept: Quay at noon, Title. 1 change left.')
  await mark.getByText('1 change needs a decision').waitFor()
  // The next one moves to its place and takes the focus.
  const keepMine = list.getByRole('button', { name: 'Keep mine: Quay at dawn, Note, version #1' })
  await expect.poll(() => keepMine.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('All conflicts are resolved.', { exact: true }).waitFor()
  await mark.getByText('Up to date').waitFor()
  await expectAccessible(page)

  await theirs.calls.syncTeam(undefined)
  expect(await theirs.calls.findMaterial(post)).toMatchObject({ title: 'Quay at dawn' })
  const { rows } = await theirs.calls.queryVersions({ ...post, offset: 0, limit: 10 })
  expect(rows).toMatchObject([{ note: 'Fares are fine' }])
  await mine.close()
})
