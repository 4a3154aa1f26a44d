import type { Health } from '@galley/library/records'

/** How much space the library's disk has left. */
export const spaceLeft = ({ isLow, freeBytes }: Health['disk']): 'fine' | 'low' | 'full' =>
  isLow ? (freeBytes === 0 ? 'full' : 'low') : 'fine'
