import type { MaterialId } from '@galley/wire'

/** The title of a material, or its id if it has none. */
export const titleOf = ({ title, materialId }: { readonly title: string; readonly materialId: MaterialId }): string =>
  title === '' ? materialId : title
