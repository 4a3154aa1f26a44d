import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'

import manifest from '../../package.json' with { type: 'json' }
import { builders, demandSystem } from '../../scripts/package/build-package.ts'
import { releaseFacts } from '../../scripts/package/release-facts.ts'
import { projectRoot } from '../../scripts/runtime/project.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const given = {
  tag: 'v0.2.0',
  version: '0.2.0',
  changelog:
    '# Changelog\n\n## 0.2.0, 2027-01-31\n\nMore.\n\n### Parts\n\n- One\n\n## 0.1.0, 2026-12-01\n\nThe first.\n',
  russian: '# Новости\n\n## 0.2.0\n\nЕщё.\n\nИ ещё.\n\n## 0.1.0\n\nПервая.\n',
}

test('a release whose tag, version and changelogs agree has the notes and news of its version alone', () => {
  const news = { en: 'More.', ru: 'Ещё.\n\nИ ещё.' }
  expect(releaseFacts(given)).toEqual({ notes: 'More.\n\n### Parts\n\n- One\n', news })
  expect(releaseFacts({ ...given, changelog: '## 0.2.0, 2027-01-31\n\nAll.' })).toEqual({
    notes: 'All.\n',
    news: { ...news, en: 'All.' },
  })
})

const ruMissing = 'CHANGELOG.ru.md has no news of 0.2.0 for the app.'

test.each([
  ['another tag', { tag: 'v0.2.1' }, 'The tag is v0.2.1, but package.json has version 0.2.0.'],
  ['another version', { tag: 'v0.3.0', version: '0.3.0' }, 'The newest version of CHANGELOG.md is 0.2.0, not 0.3.0.'],
  ['no changelog', { changelog: '' }, 'The newest version of CHANGELOG.md is none, not 0.2.0.'],
  [
    'no date',
    { changelog: given.changelog.replace('2027-01-31', 'unreleased') },
    'CHANGELOG.md says “unreleased” of 0.2.0 in place of a date.',
  ],
  [
    'no notes',
    { changelog: '## 0.2.0, 2027-01-31\n\n## 0.1.0, 2026-12-01\n\nThe first.\n' },
    'CHANGELOG.md says nothing about 0.2.0.',
  ],
  [
    'no English news',
    { changelog: given.changelog.replace('More.\n', '') },
    'CHANGELOG.md has no news of 0.2.0 for the app.',
  ],
  ['no Russian news', { russian: '## 0.2.0\n\n## 0.1.0\n\nПервая.\n' }, ruMissing],
  ['Russian news of another version', { russian: '## 0.1.0\n\nПервая.\n' }, ruMissing],
  ['no Russian changelog', { russian: '' }, ruMissing],
  [
    'news that no feed takes',
    { russian: `## 0.2.0\n\n${'я'.repeat(4_001)}\n` },
    'The news of 0.2.0 in CHANGELOG.ru.md have more than 4000 characters.',
  ],
])('a release with %s is refused', (_, over, problem) => {
  expect(releaseFacts({ ...given, ...over })).toEqual({ problem })
})

it('a tag that does not agree fails the first job of the workflow', () => {
  const run = (tag: string) =>
    spawnSync(process.execPath, [join(projectRoot, 'scripts/release-notes.ts'), tag], { encoding: 'utf8' })
  expect(run('v0.0.0')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `The tag is v0.0.0, but package.json has version ${manifest.version}.\n`,
  })
})

it('packages of other systems are refused by name', () => {
  for (const kind of ['appimage', 'nsis', 'dmg', 'zip'] as const) {
    const { system } = builders[kind]
    const others = (['linux', 'win32', 'darwin'] as const).filter((each) => each !== system)
    for (const other of others)
      expect(() => demandSystem(kind, other)).toThrow(/^only (Linux|Windows|macOS) makes this/)
    expect(() => demandSystem(kind, system)).not.toThrow()
  }
})

const workflows = join(projectRoot, '.github/workflows')
const check = (...files: readonly string[]): string => {
  try {
    return execFileSync(process.execPath, [join(projectRoot, 'scripts/lint/workflows.ts'), ...files], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch (error) {
    return String((error as { readonly stderr: unknown }).stderr)
  }
}

it('workflows pass actionlint, a broken one is named, and every action is pinned by its commit', async () => {
  const [broken, whole] = [join(await temporaryFolder(), 'broken.yml'), join(workflows, 'ci.yml')]
  writeFileSync(broken, readFileSync(whole, 'utf8').replaceAll('matrix.os', 'matrix.system'))
  expect(check()).toBe('')
  expect(check(whole, broken)).toMatch(/broken\.yml:\d+:\d+: property "system" is not defined/)
  for (const name of readdirSync(workflows))
    for (const [, used = ''] of readFileSync(join(workflows, name), 'utf8').matchAll(/uses: (.+)/g))
      expect(used, name).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})
