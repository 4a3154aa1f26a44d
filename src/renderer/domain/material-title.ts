/** What a material is called: its title, or its id while it has none. */
export const titleOf = ({ title, materialId }: { readonly title: string; readonly materialId: string }): string =>
  title === '' ? materialId : title
