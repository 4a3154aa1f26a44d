/** The title of a material, or its id if it has none. */
export const titleOf = ({ title, materialId }: { readonly title: string; readonly materialId: string }): string =>
  title === '' ? materialId : title
