import type { Change } from '../../../../src/contract/domain/changes.ts'

/** A small change, which differs only by its title. */
export const renamed = (title: string): Change => ({
  kind: 'material_renamed',
  site: 'acme',
  materialId: 'post-1',
  title,
  slug: 's',
})
