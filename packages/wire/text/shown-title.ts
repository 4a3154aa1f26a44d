/**
 * A title for a list, without the characters that change the direction of the text around them: with one of those,
 * `gnp.exe` would read as `exe.png`. Each title has its own direction where it is shown.
 */
export const shownTitle = (title: string): string => title.replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
