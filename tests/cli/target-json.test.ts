import { expect, test } from 'vitest'

import { targetJson } from '../../packages/cli/target.ts'

test('credentials that were removed from the keychain are missing', () => {
  const place = { kind: 'sftp', user: 'web', host: 'host.example', port: 22, path: '/srv' } as const
  const target = { site: 'acme', name: 'live', place, publicUrl: null, compress: false, schedule: null }
  const shown = (credentials: 'stored' | 'changed') =>
    targetJson({ ...target, isLive: false, isConfirmed: true, credentials }).credentials
  expect([shown('stored'), shown('changed')]).toEqual(['stored', 'missing'])
})
