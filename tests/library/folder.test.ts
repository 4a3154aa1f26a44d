import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'

import { defaultLibraryFolder, rememberLibraryFolder } from '../../packages/library/folder.ts'
import { temporaryFolder } from '../support/test-galley.ts'

it.runIf(process.platform === 'linux')(
  'a chosen library is opened from then on, unless a variable names another',
  async () => {
    const home = await temporaryFolder()
    const plain = { XDG_DATA_HOME: join(home, 'data') }
    const named = { ...plain, GALLEY_LIBRARY: join(home, 'named') }
    expect(await rememberLibraryFolder(plain, join(home, 'chosen'))).toEqual({ isOverruled: false })
    expect(defaultLibraryFolder(plain)).toBe(join(home, 'chosen'))
    expect(await rememberLibraryFolder(named, join(home, 'other'))).toEqual({ isOverruled: true })
    expect(defaultLibraryFolder(named)).toBe(join(home, 'named'))
    expect(defaultLibraryFolder(plain)).toBe(join(home, 'other'))
  },
)

it.runIf(process.platform === 'linux')('the usual folder never depends on the working directory', () => {
  const usual = (home: string) => join(home, '.local', 'share', 'galley')
  expect(defaultLibraryFolder({ XDG_DATA_HOME: 'data' })).toBe(usual(homedir()))
  vi.stubEnv('HOME', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(defaultLibraryFolder({})).toBe(usual(userInfo().homedir))
})
