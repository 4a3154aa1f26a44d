import { expect, test } from 'vitest'

import { shortcuts } from '../../../packages/library/records/shortcuts.ts'
import { quality, matching } from '../../../src/renderer/features/palette/match.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'

const item = (title: string, synonyms = '') => ({ key: title, title, synonyms, run: () => undefined })
const items = [
  item('Toggle the sidebar'),
  item('Settings: Rules'),
  item('Pause saves for all sites', 'refuse stop'),
  item('Stop listener', 'receive'),
  item('Restore a backup…', 'recover'),
  item('Back up the library'),
  item('Light theme'),
]
const titles = (typed: string) => matching(items, typed).items.map(({ title }) => title)

test.each([
  ['rules', ['Settings: Rules']],
  ['ref', ['Pause saves for all sites']],
  ['pause', ['Pause saves for all sites']],
  ['sto', ['Stop listener', 'Pause saves for all sites', 'Restore a backup…']],
  ['back', ['Back up the library', 'Restore a backup…']],
  ['backup restore', ['Restore a backup…']],
  ['lith', ['Light theme']],
  ['lt', ['Light theme']],
  ['sdr', ['Toggle the sidebar']],
  // Letters of several words are no match.
  ['tlb', []],
  ['ida', []],
  ['xyz', []],
  ['', []],
])('“%s” finds what a person means, the best first', (typed, found) => expect(titles(typed)).toEqual(found))

test('the best match quality is returned', () => {
  expect(matching(items, 'restore').best).toBe(quality.beginning)
  expect(matching(items, 'recover').best).toBe(quality.synonym)
  expect(matching(items, 'nothing').best).toBe(quality.none)
})

test.each(['en', 'ru'] as const)('every command with other words is one of the window (%s)', (language) => {
  const words = createTexts(language).getResourceBundle(language, 'app') as {
    readonly synonyms: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
  const ids = Object.entries(words.synonyms).flatMap(([group, names]) =>
    Object.keys(names).map((name) => `${group}.${name}`),
  )
  expect(ids.filter((id) => !Object.hasOwn(shortcuts, id))).toEqual([])
})

test.each([
  ['en', 'demo', 'site.sample'],
  ['en', 'upgrade', 'help.updates'],
  ['en', 'emulator', 'settings.developer'],
  ['en', 'conformance', 'settings.developer'],
  ['en', 'bug', 'help.report'],
  ['en', 'history', 'go.materials'],
  ['en', 'history', 'publish.targets'],
  ['ru', 'демо', 'site.sample'],
  ['ru', 'история', 'go.materials'],
  ['ru', 'история', 'publish.targets'],
] as const)('“%s: %s” finds %s', (language, typed, id) => {
  const key = `synonyms.${id}` as const
  expect(matching([item('', createTexts(language).t(key, { ns: 'app' }))], typed).best).toBe(quality.synonym)
})

test.each(['en', 'ru'] as const)('the names of the command line find the same work in the window (%s)', (language) => {
  const texts = createTexts(language)
  const { commands } = texts.getResourceBundle(language, 'health') as {
    readonly commands: Readonly<Record<string, string>>
  }
  const { synonyms } = texts.getResourceBundle(language, 'app') as {
    readonly synonyms: Readonly<Record<'health' | 'library', Readonly<Record<string, string>>>>
  }
  const ofLibrary = Object.entries(commands).map(([name, title]) =>
    item(title, synonyms.health[name] ?? synonyms.library[name]),
  )
  for (const [typed, name] of [
    ['backup', 'backUp'],
    ['erase', 'erase'],
    ['fsck', 'check'],
    ['gc', 'collect'],
    ['prune', 'prune'],
    ['restore', 'restore'],
  ] as const) {
    const { items: found, best } = matching(ofLibrary, typed)
    expect(
      found.map(({ title }) => title),
      typed,
    ).toContain(commands[name])
    expect(best, typed).toBeGreaterThanOrEqual(quality.synonym)
  }
})
