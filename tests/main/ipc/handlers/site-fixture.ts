import { join } from 'node:path'

import { siteInputOf } from '../../../../packages/library/records/site-input.ts'
import type { SiteForm } from '../../../../src/ipc/sites.ts'
import type { TestGalley } from '../../../support/test-galley.ts'
import { createTestGalley, temporaryFolder } from '../../../support/test-galley.ts'
import { testWindow } from '../../../support/test-window.ts'

/** A library with a site, a window that asks for its calls, and a place for a file of sites. */
export async function setUp(options: Parameters<typeof createTestGalley>[0] = {}) {
  const made = await createTestGalley(options)
  const window = testWindow(made.galley)
  return { ...made, ...window, file: join(await temporaryFolder(), 'sites.json') }
}

/** The form of a site as a window sends it, with its settings as they are. */
export function formOf(galley: TestGalley['galley'], parts: Partial<SiteForm> = {}): SiteForm {
  const site = galley.index.sites.find('acme')
  if (!site) throw new Error('The site is not there')
  const { publish: _, ...input } = siteInputOf(site)
  return { ...input, secret: null, ...parts }
}
