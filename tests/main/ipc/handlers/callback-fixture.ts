import { callbackHandlers } from '../../../../src/main/ipc/handlers/callbacks.ts'
import { allCallbacks } from '../../../support/all-callbacks.ts'
import { aSave, createTestGalley } from '../../../support/test-galley.ts'
import { testDesktop } from '../../../support/test-window.ts'

/** A Galley that takes saves of one material, and what its window may ask about callbacks. */
export async function setUp(options: Parameters<typeof createTestGalley>[0] = {}) {
  const made = await createTestGalley(options)
  await made.know('post-1')
  const { desktop, chosen } = testDesktop()
  const calls = callbackHandlers(made.galley, desktop, () => undefined)
  const newest = async () => {
    const { rows } = await calls.queryCallbacks({
      filters: allCallbacks,
      sort: { by: 'arrival', direction: 'down' },
      upTo: null,
      offset: 0,
      limit: 1,
    })
    return rows[0]!
  }
  /** Posts a save with another signature and gives the doctor's findings. */
  const examined = async (signature: (right: string, url: string) => string) => {
    const save = aSave(made.service)
    const url = String(save.payload['content_url'])
    await made.post(save.body, { 'x-service-signature': signature(save.signature, url) })
    const diagnosis = await calls.diagnoseCallback({ id: (await newest()).id })
    return diagnosis.ok ? diagnosis.value : diagnosis.failure
  }
  return { ...made, calls, chosen, newest, examined }
}
