/** The last part of a path of any system. */
export const fileNameIn = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path
