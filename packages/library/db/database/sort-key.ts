import { folded } from '@galley/wire'

/** By what titles are sorted and looked for: ignores case and accents. The same on every computer. */
export const sortKey = (title: string): string => folded(title).trim()
