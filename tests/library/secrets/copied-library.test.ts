import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { createMemoryStore } from '../../../packages/library/secrets/memory.ts'
import { openGalley } from '../../support/open-galley.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { createTestGalley } from '../../support/test-galley.ts'

const acme = 'acme'

it('a site that is removed from a copy of a library keeps its secret in the other one, and the other way round', async () => {
  const secrets = createMemoryStore()
  const parent = await temporaryFolder()
  const folder = join(parent, 'library')
  const { service, close } = await createTestGalley({ edges: { folder, secrets }, listen: false })
  await close()
  for (const name of ['copy', 'other']) await cp(folder, join(parent, name), { recursive: true })

  const copy = await openGalley({ folder: join(parent, 'copy'), secrets })
  expect(await copy.secrets.presence(acme)).toBe('stored')
  expect((await copy.sites.remove(acme)).ok).toBe(true)
  await copy.close()
  // Opened once, it does not depend on the first folder.
  const other = await openGalley({ folder: join(parent, 'other'), secrets })
  const first = await openGalley({ folder, secrets })
  expect(await first.secrets.secret(acme)).toEqual({ ok: true, value: service.secret })
  expect((await first.sites.remove(acme)).ok).toBe(true)
  await first.close()
  expect(await other.secrets.secret(acme)).toEqual({ ok: true, value: service.secret })
  await other.close()
})
