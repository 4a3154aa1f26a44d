import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { cdateMs } from '../../../packages/library/records/version.ts'

describe('the moment of a version_cdate', () => {
  const moments = [
    ['2026-11-01T10:00:00+00:00', Date.UTC(2026, 10, 1, 10)],
    ['2026-11-01T10:00:00-05:00', Date.UTC(2026, 10, 1, 15)],
    ['2026-11-01T10:00:00-05', Date.UTC(2026, 10, 1, 15)],
    ['2026-11-01 10:00:00.250+02', Date.UTC(2026, 10, 1, 8) + 250],
    ['2026-11-01T10:00:00.250Z', Date.UTC(2026, 10, 1, 10) + 250],
    ['2026-11-01T10:00:00', Date.UTC(2026, 10, 1, 10)],
    ['2026-11-01 10:00:00', Date.UTC(2026, 10, 1, 10)],
    ['2026-11-01', Date.UTC(2026, 10, 1)],
    ['Sun, 01 Nov 2026 10:00:00 GMT', Date.UTC(2026, 10, 1, 10)],
    ['yesterday', null],
    ['', null],
    [null, null],
  ] as const

  it.each(moments)('of %s', (text, ms) => {
    expect(cdateMs(text)).toBe(ms)
  })

  it('is the same in every time zone: the order of versions follows from it', () => {
    const module = join(import.meta.dirname, '../../../packages/library/records/version.ts')
    const script = `import(${JSON.stringify(module)}).then(({ cdateMs }) =>
      console.log(JSON.stringify(${JSON.stringify(moments.map(([text]) => text))}.map(cdateMs))))`
    for (const zone of ['America/New_York', 'Asia/Kolkata']) {
      const said = execFileSync(process.execPath, ['-e', script], {
        env: { ...process.env, TZ: zone },
        encoding: 'utf8',
      })
      expect(JSON.parse(said), zone).toEqual(moments.map(([, ms]) => ms))
    }
  })
})
