import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { dailySchedule } from '../../../packages/sites/releasing/publish-daily.ts'
import { lastDue, scheduleNote } from '../../../packages/sites/releasing/schedule.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { createPublishingFixture } from './fixture.ts'

test('a time of the day was last due today or yesterday, in the zone of the site', () => {
  const due = (zone: string, now: string) => lastDue('06:00', zone, new Date(now)).toISOString()
  expect(due('UTC', '2026-11-21T06:00:00Z')).toBe('2026-11-21T06:00:00.000Z')
  expect(due('UTC', '2026-11-21T05:59:59Z')).toBe('2026-11-20T06:00:00.000Z')
  expect(due('America/New_York', '2026-11-21T10:59:59Z')).toBe('2026-11-20T11:00:00.000Z')
  expect(due('America/New_York', '2026-11-21T11:00:00Z')).toBe('2026-11-21T11:00:00.000Z')
  // The next day has begun there.
  expect(due('Asia/Tokyo', '2026-11-20T22:00:00Z')).toBe('2026-11-20T21:00:00.000Z')
})

test('on the days that clocks change, a time is due once, whatever the zone of the computer', async () => {
  const script = `
    import { lastDue } from ${JSON.stringify(join(import.meta.dirname, '../../../packages/sites/releasing/schedule.ts'))}
    for (const now of ['2026-03-29T00:10+01:00', '2026-03-29T03:29+02:00', '2026-03-29T03:30+02:00',
      '2026-10-25T02:29+02:00', '2026-10-25T02:30+02:00', '2026-10-25T02:30+01:00'])
      console.log(lastDue('02:30', 'Europe/Berlin', new Date(now)).toISOString())`
  for (const TZ of ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']) {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, TZ },
    })
    expect(stdout.trim().split('\n'), stderr).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
    ])
  }
})

test('a target that is new to its schedule again waits for its next time', async () => {
  let now = new Date(2026, 10, 21, 12, 0)
  const fixture = await createPublishingFixture({ now: () => now })
  await fixture.save('post-1', '<p>One</p>')
  const place = `folder:${join(await temporaryFolder(), 'web')}` as const
  const target = await fixture.addTarget(place, { schedule: '06:00' })
  const { index, releasing } = fixture.galley
  const { checkNow } = dailySchedule(
    { index, releasing, now: () => now },
    join(fixture.themes[0] ?? '', '..'),
    () => {},
  )
  await checkNow()
  now = new Date(2026, 10, 22, 6, 0)
  await checkNow()
  const count = async () => (await releasing.history(target)).length
  expect(await count()).toBe(1)
  await fixture.save('post-1', '<p>Two</p>')
  await fixture.addTarget(place, { schedule: null })
  now = new Date(2026, 11, 1, 12, 0)
  await fixture.addTarget(place, { schedule: '06:00' })
  await checkNow()
  expect(await count()).toBe(1)
  now = new Date(2026, 11, 2, 6, 0)
  await checkNow()
  expect(await count()).toBe(2)
})

test('a time that comes before the first look is not missed, and a publication that was cut off is made up for once', async () => {
  const { fixture, target, count, checkAt } = await aScheduledSite()
  const { settings } = fixture.galley.index
  // Set at noon while nothing ran; the listener starts the next day.
  await checkAt(new Date(2026, 10, 22, 6, 1))
  expect(await count()).toBe(1)
  const zone = fixture.galley.index.publishing.of('acme').timeZone
  const note = scheduleNote(target, zone)
  const due = settings.get(note)
  await fixture.save('post-1', '<p>Two</p>')
  // As a killed process leaves it.
  settings.put(note, `${due} begun`)
  await checkAt(new Date(2026, 10, 22, 6, 2))
  expect([await count(), settings.get(note)]).toEqual([2, due])
  await fixture.save('post-1', '<p>Three</p>')
  await checkAt(new Date(2026, 10, 22, 6, 3))
  expect(await count()).toBe(2)
})

test('a schedule never takes over what another site has published there', async () => {
  const { fixture, target, count, checkAt } = await aScheduledSite()
  const other = await createPublishingFixture()
  await other.save('post-2', '<p>Of another site</p>')
  if (target.place.kind !== 'folder') throw new Error('The target is no folder')
  const theirs = await other.addTarget(`folder:${target.place.directory}`)
  expect(await other.publish(theirs)).toMatchObject({ ok: true })
  await checkAt(new Date(2026, 10, 22, 6, 1))
  expect([await count(), fixture.lines.at(-1)]).toEqual([0, expect.stringContaining('--take-over')])
  expect(await other.publish(theirs)).toMatchObject({ ok: true, value: { changes: [] } })
})

test('a publication that the end of the process stops is noted as begun', async () => {
  const { fixture, target, checkAt, stop } = await aScheduledSite()
  stop()
  const zone = fixture.galley.index.publishing.of('acme').timeZone
  await checkAt(new Date(2026, 10, 22, 6, 1))
  expect(fixture.galley.index.settings.get(scheduleNote(target, zone))).toMatch(/ begun$/)
})

/** A site with one save and a target that publishes at six, and its schedule at given times. */
async function aScheduledSite() {
  let now = new Date(2026, 10, 21, 12, 0)
  const fixture = await createPublishingFixture({ now: () => now })
  await fixture.save('post-1', '<p>One</p>')
  const target = await fixture.addTarget(`folder:${join(await temporaryFolder(), 'web')}`, { schedule: '06:00' })
  const { index, releasing } = fixture.galley
  const { checkNow, start } = dailySchedule(
    { index, releasing, now: () => now },
    join(fixture.themes[0] ?? '', '..'),
    (line) => fixture.lines.push(line),
  )
  const count = async () => (await releasing.history(target)).length
  const checkAt = (moment: Date): Promise<void> => {
    now = moment
    return checkNow()
  }
  return { fixture, target, count, checkAt, stop: start() }
}

test('a clock that was ahead once does not stop a schedule', async () => {
  const { fixture, count, checkAt } = await aScheduledSite()
  await checkAt(new Date(2026, 10, 21, 12, 0))
  await checkAt(new Date(2036, 0, 1, 12, 0))
  expect(await count()).toBe(1)
  await fixture.save('post-1', '<p>Two</p>')
  await checkAt(new Date(2026, 10, 22, 12, 0))
  await checkAt(new Date(2026, 10, 22, 12, 0))
  expect(await count()).toBe(2)
})

test('publishes at its time if something has changed, makes up for a missed day once, and logs failures', async () => {
  const { fixture, target, count, checkAt } = await aScheduledSite()
  const { index, releasing } = fixture.galley
  await checkAt(new Date(2026, 10, 21, 12, 0))
  expect(await count()).toBe(0)
  await checkAt(new Date(2026, 10, 24, 12, 0))
  await checkAt(new Date(2026, 10, 24, 12, 0))
  expect(await releasing.history(target)).toMatchObject([{ by: 'schedule' }])
  // Nothing has changed by the next morning.
  await checkAt(new Date(2026, 10, 25, 6, 0))
  expect(await count()).toBe(1)

  // Nor after a person has brought an earlier release back.
  await fixture.save('post-1', '<p>A mistake</p>')
  await checkAt(new Date(2026, 10, 26, 6, 0))
  const [mistake, earlier] = await releasing.history(target)
  expect(await fixture.rollBack(target, earlier?.id ?? '')).toMatchObject({ ok: true })
  // A material that was only opened changes nothing that would be published.
  await fixture.know('post-2')
  await checkAt(new Date(2026, 10, 27, 6, 0))
  expect(await releasing.history(target)).toMatchObject([{ rollbackOf: earlier?.id }, { id: mistake?.id }, {}])
  await fixture.save('post-1', '<p>Corrected</p>')
  await checkAt(new Date(2026, 10, 28, 6, 0))
  expect(await count()).toBe(4)

  await fixture.save('post-1', '<p>Two</p>')
  index.settings.forget(`confirmed-target/acme/live`)
  await checkAt(new Date(2026, 10, 29, 6, 0))
  expect(await count()).toBe(4)
  expect(fixture.lines.join('\n')).toContain('publishing on schedule failed (acme, live)')
})
