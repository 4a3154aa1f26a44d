import { execFileSync } from 'node:child_process'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { temporaryFolder } from '../support/test-galley.ts'
import { aNewsroom, aPage } from './support/library.ts'

const written = '/srv/acme-pages'

test('the recipe for a Pages repository in docs/publishing.md publishes beside its README.md and CNAME', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/publishing.md'), 'utf8')
  const recipe = guide.split('\n').filter((line) => line.startsWith('    ') && line.includes(written))
  const room = await aNewsroom()
  const { fingerprint } = (await room.run('open', 'acme', 'post-1')).json() as { fingerprint: string }
  await room.save(fingerprint, aPage('First'))
  const folder = await temporaryFolder()
  const [remote, clone] = [join(folder, 'remote.git'), join(folder, 'acme-pages')]
  const shell = (line: string): string => {
    const person = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b.example', GIT_CONFIG_GLOBAL: '/dev/null' }
    const environment = { ...person, GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b.example' }
    return execFileSync('sh', ['-c', line], { env: { ...process.env, ...environment }, stdio: 'pipe' }).toString()
  }
  shell(`git init -q --bare -b main ${remote} && git clone -q ${remote} ${clone} 2>&1`)
  const theirs = ['README.md', 'CNAME', '.gitignore']
  for (const name of theirs) await writeFile(join(clone, name), '*.tmp\n')
  shell(`cd ${clone} && git checkout -q -b main && git add --all && git commit -qm Begin && git push -q -u origin main`)

  const lines = [...recipe.slice(0, 1), 'galley publish acme --target pages', ...recipe.slice(1)]
  for (const line of lines.map((each) => each.trim().replaceAll(written, clone))) {
    const [program, ...args] = line.split(' ')
    if (program !== 'galley') shell(line)
    else expect(await room.run(...args)).toMatchObject({ code: 0 })
  }
  const pushed = shell(`git -C ${remote} ls-tree -r --name-only main`).split('\n')
  expect(pushed).toEqual(expect.arrayContaining([...theirs, 'index.html', 'first/index.html']))
  for (const name of theirs) expect(await readFile(join(clone, name), 'utf8')).toBe('*.tmp\n')
  expect(await readdir(clone)).not.toContain('.galley-unfinished')
})
