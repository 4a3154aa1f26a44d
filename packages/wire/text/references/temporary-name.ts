/** The prefix of references to a file that the site has not stored yet (contract, Editor state). */
export const temporaryPrefix = 'dummy-'

export const temporaryName = (fileName: string): string => temporaryPrefix + fileName
