import type { Index } from '../../packages/library/db/library-index.ts'
import { noFilters } from '../../src/ipc/materials.ts'

/** Ids of the materials of the site `acme` that match a text, best match first. */
export const foundBy = ({ materialList }: Pick<Index, 'materialList'>, text: string): readonly string[] =>
  materialList.ids({ site: 'acme', text, filters: noFilters, sort: { by: 'relevance', direction: 'down' } })
