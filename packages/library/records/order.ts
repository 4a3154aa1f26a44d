/** Compares by UTF-16 units: the same on every machine, unlike a locale's order. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
