import type { Change } from '../../../packages/library/records/changes.ts'

/** A small change, which differs only by its title. */
export const renamed = (title: string): Change => ({
  kind: 'fields_set',
  record: 'material',
  site: 'acme',
  of: [{ materialId: 'post-1' }],
  set: { title, slug: 's' },
})
