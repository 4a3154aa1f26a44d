/** A number with its English noun: `1 version`, `2 versions`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
