import type { Index } from '../../packages/library/db/library-index.ts'

/** Makes the newest segment of the log so large that the next entry starts a new one: with a session of this material. */
export const fillSegment = ({ materials }: Pick<Index, 'materials'>, materialId: string): void =>
  materials.recordOpen({
    site: 'acme',
    materialId,
    title: null,
    slug: null,
    sessionId: 's-1',
    fingerprint: 'f-1',
    url: 'https://svc.test/editor/f-1',
    at: '2026-11-01T10:00:00.000Z',
    sentMetadata: JSON.stringify({ filler: 'x'.repeat(9 * 1024 ** 2) }),
    callbackUrl: 'https://site.test/callback/acme',
  })
