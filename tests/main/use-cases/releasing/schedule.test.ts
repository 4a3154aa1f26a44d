import { join } from 'node:path'
import { expect, test } from 'vitest'

import { dailySchedule } from '../../../../src/main/use-cases/releasing/publish-daily.ts'
import { lastDue } from '../../../../src/main/use-cases/releasing/schedule.ts'
import { temporaryFolder } from '../../../support/test-galley.ts'
import { aPublishingHouse } from './house.ts'

test('a time of the day was last due today or yesterday', () => {
  expect(lastDue('06:00', new Date(2026, 10, 21, 6, 0, 0))).toEqual(new Date(2026, 10, 21, 6, 0, 0))
  expect(lastDue('06:00', new Date(2026, 10, 21, 5, 59, 59))).toEqual(new Date(2026, 10, 20, 6, 0, 0))
})

test('publishes at its time if something has changed, makes up for a missed day once, and logs failures', async () => {
  let now = new Date(2026, 10, 21, 12, 0)
  const house = await aPublishingHouse({ now: () => now })
  await house.save('post-1', '<p>One</p>')
  const web = join(await temporaryFolder(), 'web')
  const target = await house.addTarget(`folder:${web}`, { schedule: '06:00' })
  const { index, releasing } = house.galley
  const { checkNow } = dailySchedule({ index, releasing, now: () => now }, join(house.themes[0] ?? '', '..'), (line) =>
    house.lines.push(line),
  )
  const count = () => releasing.history(target).length

  await checkNow()
  expect(count()).toBe(0)
  now = new Date(2026, 10, 24, 12, 0)
  await checkNow()
  await checkNow()
  expect(releasing.history(target)).toMatchObject([{ by: 'schedule' }])
  // Nothing has changed by the next morning.
  now = new Date(2026, 10, 25, 6, 0)
  await checkNow()
  expect(count()).toBe(1)

  // Nor after a person has brought an earlier release back.
  await house.save('post-1', '<p>A mistake</p>')
  now = new Date(2026, 10, 26, 6, 0)
  await checkNow()
  const [mistake, earlier] = releasing.history(target)
  expect(await house.rollBack(target, earlier?.id ?? '')).toMatchObject({ ok: true })
  now = new Date(2026, 10, 27, 6, 0)
  await checkNow()
  expect(releasing.history(target)).toMatchObject([{ rollbackOf: earlier?.id }, { id: mistake?.id }, {}])
  await house.save('post-1', '<p>Corrected</p>')
  now = new Date(2026, 10, 28, 6, 0)
  await checkNow()
  expect(count()).toBe(4)

  await house.save('post-1', '<p>Two</p>')
  index.settings.forget(`confirmed-target/acme/live`)
  now = new Date(2026, 10, 29, 6, 0)
  await checkNow()
  expect(count()).toBe(4)
  expect(house.lines.join('\n')).toContain('publishing on schedule failed (acme, live)')
})
