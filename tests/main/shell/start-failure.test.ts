import { join } from 'node:path'
import { expect, test } from 'vitest'

import { showStartFailure } from '../../../src/main/shell/start-failure.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { testDesktop } from '../../support/test-window.ts'

test('a library that does not open is reported until a usable folder is chosen', async () => {
  const home = await temporaryFolder()
  const { desktop, shown } = testDesktop([join(home, 'gone'), home])
  const remembered: string[] = []
  await showStartFailure({
    folder: '/full/disk',
    language: 'en',
    desktop,
    remember: async (folder) => void remembered.push(folder),
    quit: () => void shown.push('quit'),
  })
  expect(shown).toEqual([
    expect.stringMatching(
      /^Galley can’t open its library: The library in \/full\/disk can’t be opened\. Nothing in it/,
    ),
    expect.stringContaining(`The library in ${join(home, 'gone')} can’t be opened.`),
    'relaunch',
  ])
  expect(remembered).toEqual([home])
})

test('without another folder the app quits', async () => {
  const { desktop, shown } = testDesktop([null])
  const quit = (): void => void shown.push('quit')
  await showStartFailure({ folder: '/full/disk', language: 'ru', desktop, remember: () => Promise.reject(), quit })
  expect(shown).toEqual([expect.stringContaining('Galley не может открыть библиотеку'), 'quit'])
})
