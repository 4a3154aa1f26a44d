import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

import { galley } from '../cli/support/cli.ts'
import type { AtEnd } from './galley-process.ts'
import { openGalley } from './open-galley.ts'
import { startService } from './service.ts'
import { temporaryFolder } from './test-galley.ts'

/** A library with the site acme, secrets in the environment, and a service, until the end. `folder`: to put it in. */
export async function aLibrary(folder?: string, atEnd: AtEnd = onTestFinished) {
  const service = await startService()
  atEnd(service.close)
  const library = join(folder ?? (await temporaryFolder()), 'library')
  const environment = { GALLEY_SECRETS: 'env', GALLEY_SECRET_ACME: service.secret }
  const added = await galley(
    [
      'site',
      'add',
      'acme',
      '--json',
      '--library',
      library,
      '--base-url',
      service.baseUrl,
      '--api-key',
      service.apiKey,
      '--callback-url',
      'http://127.0.0.1:8787/callback/acme',
      '--unknown-materials',
      'accept',
    ],
    environment,
  )
  expect(added.code, added.stderr).toBe(0)
  return { service, library, environment }
}

/** The same library in this process, in addition to a listener. */
export const openBeside = (library: string) => openGalley({ folder: library, secrets: { environment: {} } })
