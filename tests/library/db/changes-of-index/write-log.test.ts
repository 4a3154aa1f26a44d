import { describe, expect, it } from 'vitest'

import { writeLog } from '../../../../packages/library/db/changes-of-index/write-log.ts'
import { openLog } from '../../../../packages/library/log/log.ts'
import { logStart } from '../../../../packages/library/log/mark.ts'
import type { Change } from '../../../../packages/library/records/changes.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'

const opened = (text: string): Change => ({
  kind: 'material_opened',
  site: 'acme',
  materialId: 'post-1',
  title: null,
  slug: null,
  sessionId: 's',
  fingerprint: 'f',
  url: 'https://svc.test/editor/f',
  at: '2026-11-01T00:00:00.000Z',
  sentMetadata: JSON.stringify({ text }),
  callbackUrl: 'https://site.test/callback/acme',
})

describe('a log that is written in one step', () => {
  it.each([
    ['many small changes', 700, 10],
    ['few large changes', 20, 1024 ** 2],
  ])('has entries of some size: %s', async (_name, count, length) => {
    const log = openLog(await temporaryFolder())
    const changes = Array.from({ length: count }, (_, at) => opened(String(at).padEnd(length, 'x')))
    const end = await writeLog(log, { library: 'a-library', at: '2026-11-01T00:00:00.000Z' }, changes)
    const marks = [...log.read(logStart)].map((item) =>
      item.kind === 'entry' ? item.mark : expect.fail(item.fault.kind),
    )
    expect(marks.at(-1)).toEqual(end)
    for (const { start, end: lineEnd } of marks) expect(lineEnd - start).toBeLessThan(8 * 1024 ** 2)
    expect([...log.entriesAfter(1)].flatMap((entry) => entry.changes)).toEqual(changes)
    expect(marks.length).toBeLessThan(10)
  })
})
