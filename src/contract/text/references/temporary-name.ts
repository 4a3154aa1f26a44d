/** How references to a file begin as long as the site has not stored it (contract, Editor state). */
export const temporaryPrefix = 'dummy-'

export const temporaryName = (fileName: string): string => temporaryPrefix + fileName
