/** The sort key of a title: ignores case and normalizes accents. The same on every computer. */
export const sortKey = (title: string): string => title.normalize('NFKC').toLowerCase().trim()
