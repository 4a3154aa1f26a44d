/** A number with its noun, as English has it: `1 version`, `2 versions`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
