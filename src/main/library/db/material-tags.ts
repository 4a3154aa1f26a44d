import type { MaterialId, SiteId } from '../../../contract/ids.ts'
import type { Commit } from './commit.ts'

/** The tags of materials: any words, compared exactly. */
export function createMaterialTags(commit: Commit) {
  return {
    /** Changes the tags of these materials in one transaction. Skips unknown ids. */
    change: (
      site: SiteId,
      materialIds: readonly MaterialId[],
      tags: { readonly add: readonly string[]; readonly remove: readonly string[] },
    ): void =>
      commit.now(() => [
        {
          kind: 'materials_tagged',
          site,
          materialIds: [...materialIds],
          add: [...tags.add],
          remove: [...tags.remove],
        },
      ]),
  }
}
