import { expect, test } from 'vitest'

import { createAppSettings } from '../../../packages/library/settings/app-settings.ts'
import { defaultSettings } from '../../../packages/library/views/settings.ts'
import { openLibrary } from '../db/sample.ts'

test('settings are stored and announced, and an invalid one does not affect the others', async () => {
  const { index } = await openLibrary()
  const settings = createAppSettings(index.settings)
  expect(settings.read()).toEqual(defaultSettings)
  const told: unknown[] = []
  const stop = settings.onChange((now) => void told.push(now.language))
  settings.change({ language: 'ru', shortcuts: { palette: 'Ctrl+J' } })
  stop()
  settings.change({ theme: 'dark' })
  expect(told).toEqual(['ru'])
  expect(settings.read()).toEqual({
    ...defaultSettings,
    language: 'ru',
    theme: 'dark',
    shortcuts: { palette: 'Ctrl+J' },
  })
  index.settings.put(
    'app-settings',
    JSON.stringify({ language: 'ru', theme: 'neon', listener: { host: '', port: 1 }, x: 1 }),
  )
  expect(settings.read()).toEqual({ ...defaultSettings, language: 'ru' })
})
