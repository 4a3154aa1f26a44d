import { expect } from 'vitest'

import { aSave } from '../../support/test-galley.ts'
import type { WholePage } from '../../support/whole-site.ts'
import { createPublishingFixture } from './fixture.ts'

/** A library whose one site has these pages, each saved through the listener. */
export async function aSavedSite(pages: readonly WholePage[]) {
  const fixture = await createPublishingFixture()
  const { index } = fixture.galley
  for (const { materialId, html, files } of pages) {
    await fixture.know(materialId)
    const { body, headers } = aSave(fixture.service, { materialId, html, files })
    const answer = await fixture.post(body, headers)
    expect(answer.json.rc, answer.text).toBe(1)
  }
  const site = index.sites.find('acme')
  if (site === null) throw new Error('The test site is missing')
  index.pages.changeGroups(
    site.id,
    pages.flatMap(({ materialId, settings }) => {
      const material = index.materials.find('acme', materialId)
      return material === null ? [] : [{ materialIds: [material.materialId], settings }]
    }),
  )
  return { ...fixture, site }
}
