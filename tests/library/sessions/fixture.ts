import type { OpenRequest } from '../../../packages/library/sessions/open-session.ts'
import type { OpenFailure } from '../../../packages/wire/protocol/session.ts'
import { createTestGalley } from '../../support/test-galley.ts'

const request = (parts: Partial<OpenRequest> = {}): OpenRequest => ({
  site: 'acme',
  materialId: 'post-1',
  title: null,
  slug: null,
  metadata: null,
  ...parts,
})

type Options = Parameters<typeof createTestGalley>[0]

/** A library with a service, and the requests that were sent to it. */
export async function setUp(options: Options = {}) {
  const made = await createTestGalley(options)
  const open = (parts: Partial<OpenRequest> = {}) => made.galley.sessions.open(request(parts))
  const lastBody = () => made.service.opens.at(-1)?.body ?? ''
  const metadataSent = () => (JSON.parse(lastBody()) as { metadata: Record<string, unknown> }).metadata
  const refusal = async (status: number, body: string): Promise<OpenFailure> => {
    made.service.answerOpen({ status, body })
    const opened = await open()
    if (opened.ok) throw new Error('The session was opened')
    return opened.failure
  }
  return { ...made, open, lastBody, metadataSent, refusal }
}
