import { existsSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { fileOfTheme } from '../../packages/library/records/site-model.ts'
import { filesIn } from '../sites/exporting/folders.ts'
import { joinedAfterSave, aTeam } from '../support/team.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('a theme of one member is published by another one from the bucket, and nothing of its own disk', async () => {
  const team = await aTeam()
  const member = await joinedAfterSave(team)
  const folder = join(await temporaryFolder(), 'our-theme')
  await cp('resources/themes/plain', folder, { recursive: true })
  const style = join(folder, 'assets/style.css')
  await writeFile(style, `${await readFile(style, 'utf8')}\n/* of the bucket */\n`)
  const set = await team.run(team.library, 'site', 'publishing', 'acme', '--theme', folder)
  const { theme } = set.json() as { theme: string }
  const sha256 = fileOfTheme(theme) ?? expect.fail(theme)

  // What the other computer has at that path is its own.
  await rm(folder, { recursive: true })
  await cp('resources/themes/plain', folder, { recursive: true })
  await writeFile(join(folder, 'assets/salaries.csv'), 'secret')
  const out = join(await temporaryFolder(), 'out')
  const exported = await team.run(member, 'export', 'acme', '--out', out)
  expect(exported.code, exported.stdout).toBe(0)
  const files = filesIn(out)
  expect(files.filter((name) => name.includes('salaries'))).toEqual([])
  const styles = await Promise.all(
    files.filter((name) => name.endsWith('.css')).map((name) => readFile(join(out, name), 'utf8')),
  )
  expect(styles.filter((text) => text.includes('/* of the bucket */'))).toHaveLength(1)

  // Without it in the bucket, a computer that has not fetched it yet says so, and writes nothing.
  for (const key of team.objects.keys()) if (key.includes(sha256)) team.objects.delete(key)
  const late = await team.newFolder()
  expect((await team.join(late)).code).toBe(0)
  const none = join(await temporaryFolder(), 'none')
  const failure = (await team.run(late, 'export', 'acme', '--out', none)).failure()
  expect(failure).toMatchObject({
    code: 'damaged_blob',
    message: expect.stringContaining(sha256.slice(0, 8)) as string,
  })
  expect(existsSync(none)).toBe(false)
})
