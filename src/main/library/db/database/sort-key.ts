/** What titles are sorted by: without regard to case and accents' spelling, the same on every machine. */
export const sortKey = (title: string): string => title.normalize('NFKC').toLowerCase().trim()
