import { expect } from 'vitest'

import { galley } from '../../cli/support/cli.ts'

/** Adds a site for this service on the command line. It accepts saves of every material, whoever opened it. */
export async function addSite(
  library: string,
  environment: Readonly<Record<string, string>>,
  service: { readonly baseUrl: string; readonly apiKey: string },
  { id, name, callbackUrl }: { readonly id: string; readonly name: string; readonly callbackUrl: string },
): Promise<void> {
  const added = await galley(
    [
      'site',
      'add',
      id,
      '--library',
      library,
      '--name',
      name,
      '--base-url',
      service.baseUrl,
      '--api-key',
      service.apiKey,
      '--callback-url',
      callbackUrl,
      '--unknown-materials',
      'accept',
    ],
    environment,
  )
  expect(added.code, added.stderr).toBe(0)
}
