import { expect, it } from 'vitest'

import { sampleSite } from '../../../packages/library/records/site.ts'
import { toEnter } from '../../../src/renderer/features/move/move-dialog.tsx'
import { aSite } from '../support/sample-data.ts'

const folder = { kind: 'folder', directory: '/srv' } as const
const bucket = { kind: 's3', bucket: 'b', prefix: '', endpoint: null, region: null } as const

it('a moved library lists what its backup does not have, and what is done already', () => {
  const moved = aSite({ secret: 'missing', isConfirmed: false, callbackAuth: 'basic', bucketKeys: 'missing' })
  const done = {
    ...aSite({ secret: 'stored', isConfirmed: true, callbackAuth: 'none', bucketKeys: 'environment' }),
    id: 'done',
  }
  const targets = {
    done: [
      { name: 'live', place: bucket, credentials: 'stored' },
      { name: 'here', place: folder, credentials: 'missing' },
    ],
  } as const
  const list = toEnter([moved, done, { ...aSite(), ...sampleSite }], targets)
  expect(list.map(({ what }) => what)).toEqual([
    [
      { kind: 'addresses', isDone: false },
      { kind: 'secret', isDone: false },
      { kind: 'callbackAuth', isDone: false },
      { kind: 'bucketKeys', isDone: false },
    ],
    [
      { kind: 'addresses', isDone: true },
      { kind: 'secret', isDone: true },
      { kind: 'bucketKeys', isDone: true },
      { kind: 'target', name: 'live', isDone: true },
    ],
  ])
})
