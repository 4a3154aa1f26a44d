import { expect, it } from 'vitest'

import { fail, ok } from '../../../packages/wire/result.ts'
import { saveCommands } from '../../../src/renderer/features/listener/commands.ts'
import { createPauses, providePauses } from '../../../src/renderer/features/listener/pauses-store.ts'
import { RefusedBanner } from '../../../src/renderer/features/listener/refused-banner.tsx'
import { provideToasts } from '../../../src/renderer/ui/toasts.tsx'
import { called, handle, live } from '../support/called.ts'
import { createFakeBridge } from '../support/fake-bridge.ts'
import { createServices } from '../support/services.ts'
import { settled } from '../support/settled.ts'

const everywhere = { site: null, reason: '', since: '2026-11-21T12:00:00Z' }

/** The window's pauses, with the titles and texts of the failures that it shows. */
function started() {
  const fake = createFakeBridge(0)
  const services = createServices(fake.bridge)
  const pauses = createPauses(fake.bridge)
  const commands = saveCommands(services, pauses)
  const run = (id: string) => commands.find((command) => command.id === id)?.run()
  const shown = () => [...services.toasts.failures.keys()].map((text) => JSON.parse(text) as unknown)
  return { fake, services, pauses, run, shown }
}

it('a command that could not pause or resume saves says so, and nothing when it could', async () => {
  const { fake, pauses, run, shown } = started()
  fake.answers.pauseSaves = () => ok({ reason: '', since: '' })
  fake.answers.resumeSaves = () => ok(null)
  run('saves.refuseAll')
  run('saves.accept')
  await settled()
  expect(shown()).toEqual([])
  fake.answers.pauseSaves = () => fail({ code: 'library_read_only' })
  delete fake.answers.resumeSaves
  run('saves.refuseAll')
  await settled()
  run('saves.accept')
  await settled()
  expect(shown()).toEqual([
    ['Couldn’t pause saves', expect.any(String)],
    ['Couldn’t resume saves', expect.any(String)],
  ])
  expect(await pauses.getState().refuse(null, '')).toMatchObject({ failure: { code: 'library_read_only' } })
})

it('the banner says that saves could not be resumed', async () => {
  const { fake, services, pauses, shown } = started()
  pauses.setState({ reach: 'all', pauses: [everywhere] })
  fake.answers.resumeSaves = () => fail({ code: 'unknown_site' })
  const banner = called(
    () => RefusedBanner({ site: 'harbour' }),
    [providePauses(live(pauses)), provideToasts(services.toasts)],
  )
  handle(banner, 'onClick', null)
  await settled()
  expect(shown()).toEqual([['Couldn’t resume saves', expect.any(String)]])
})
