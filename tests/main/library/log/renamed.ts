import type { Change } from '../../../../src/contract/domain/changes.ts'
import type { MaterialId, SiteId } from '../../../../src/contract/ids.ts'

/** A small change, which differs only by its title. */
export const renamed = (title: string): Change => ({
  kind: 'material_renamed',
  site: 'acme' as SiteId,
  materialId: 'post-1' as MaterialId,
  title,
  slug: 's',
})
