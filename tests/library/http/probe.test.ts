import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'

import { createTestGalley, signed } from '../../support/test-galley.ts'

describe("Galley's own probe", () => {
  it('is answered with a proof that requires the secret, and stores nothing', async () => {
    const { galley, service, post, filesOf, listener } = await createTestGalley()
    const probe = signed(service, {
      event: 'galley_probe',
      material_id: 'nonce-1',
      content_url: `${listener}/callback/acme`,
    })
    const answer = await post(probe.body, probe.headers)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      rc: 0,
      rm: expect.stringContaining('saves nothing'),
      code: 'probe',
      proof: createHmac('sha256', service.secret).update('galley-probe-answer:acme:nonce-1').digest('hex'),
    })
    expect(galley.index.callbacks.list({ site: null, outcome: null, limit: 10 })).toEqual([])
    expect([await filesOf(), service.downloads, [...galley.index.materials.list('acme')]]).toEqual([[], [], []])
  })

  it('gives no proof to a caller without the secret', async () => {
    const { service, post } = await createTestGalley()
    const probe = signed(service, { event: 'galley_probe', material_id: 'nonce-1', content_url: 'x' })
    for (const signature of ['', '0'.repeat(64)]) {
      const answer = await post(probe.body, { 'x-service-signature': signature })
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_signature'])
      expect(answer.text).not.toContain('proof')
    }
  })
})
