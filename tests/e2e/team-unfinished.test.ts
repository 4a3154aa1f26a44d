import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { aTeam } from '../support/team.ts'
import { aFreePort, inGrid, startApp } from './support/app.ts'
import { expectAccessible } from './support/axe.ts'
import { answerQuestions } from './support/dialogs.ts'
import { heldRelaunch } from './support/held-relaunch.ts'
import { tabTo } from './support/keyboard.ts'

test('a folder whose join was cut off opens, and joins to the end', async () => {
  const team = await aTeam()
  const alone = await team.listen()
  expect((await alone.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await alone.close()
  expect((await team.import()).code).toBe(0)
  const library = await team.newFolder()
  expect((await team.join(library)).code).toBe(0)
  // As left by a join that was interrupted before its last step.
  const file = join(library, 'team.json')
  const membership = JSON.parse(await readFile(file, 'utf8')) as object
  await writeFile(file, JSON.stringify({ ...membership, state: 'joining' }))
  const start = async () => startApp({ library, environment: team.environment, port: await aFreePort() })

  const { app, page, close } = await start()
  await page.getByRole('heading', { name: 'Joining isn’t finished' }).waitFor()
  const pane = page.getByRole('main')
  await pane.getByText('s3://team/library', { exact: true }).waitFor()
  await pane.getByText(library, { exact: true }).waitFor()
  await pane.getByText('Galley has the bucket keys.').waitFor()
  await expectAccessible(page)
  await answerQuestions(app, 'first button')
  await tabTo(page, 'Continue joining')
  await page.keyboard.press('Enter')
  const relaunched = await heldRelaunch(app)
  await page.getByRole('button', { name: 'Restart with the team library' }).click()
  await relaunched()
  await close()

  const member = await start()
  await inGrid(member.page, 'Materials').first().waitFor()
  await member.page.getByRole('contentinfo').getByText('Up to date').waitFor()
  await member.close()
})
