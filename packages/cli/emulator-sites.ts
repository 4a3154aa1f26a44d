import { open } from 'node:fs/promises'
import { allowedDomain, signatureHeader } from '@galley/library/records'
import type { SiteSetup } from '@galley/service'
import { z } from 'zod'

import type { Context } from './command.ts'
import { givenText } from './given-text.ts'
import { UsageError } from './option.ts'

/** The permission bits of group and others. */
const otherUsersMode = 0o077

/** The site of an emulator that was started without one. Its secret is public, so it is only for trying out. */
export const wellKnown = { apiKey: 'emulator-dev', secret: 'emulator-secret' } as const

const sitesSchema = z
  .array(
    z.strictObject({
      api_key: z.string().min(1),
      secret: z.string().min(1),
      name: z.string().min(1).optional(),
      environment: z.enum(['dev', 'prod']).optional(),
      allowed_domains: z.array(allowedDomain).optional(),
      signature_header: signatureHeader.optional(),
    }),
  )
  .min(1)

/** The sites of a `--sites` file. Warns if other users can read its secrets. Messages never contain a secret. */
export async function readSites(file: string, { log }: Context): Promise<readonly SiteSetup[]> {
  const { text, mode } = await readWithMode(file)
  if (process.platform !== 'win32' && (mode & otherUsersMode) !== 0)
    log(`emulator: ${file} contains secrets and other users can read it; run chmod 600 to restrict access`)
  const sites = sitesSchema.safeParse(parsed(text, file))
  if (!sites.success) {
    const [issue] = sites.error.issues
    throw new UsageError(`the sites file ${file}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`)
  }
  return sites.data.map((site) => ({
    apiKey: site.api_key,
    apiSecret: site.secret,
    ...(site.name !== undefined && { name: site.name }),
    ...(site.environment !== undefined && { environment: site.environment }),
    ...(site.allowed_domains !== undefined && { allowedDomains: site.allowed_domains }),
    ...(site.signature_header !== undefined && { signatureHeader: site.signature_header }),
  }))
}

async function readWithMode(file: string): Promise<{ readonly text: string; readonly mode: number }> {
  const what = `the sites file ${file}`
  try {
    await using handle = await open(file)
    return { mode: (await handle.stat()).mode, text: givenText(await handle.readFile(), what) }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${what} cannot be read`)
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The error would quote the text, which may contain a secret.
    throw new UsageError(`the sites file ${file} is not JSON`)
  }
}
