import type { Health } from '../../../contract/ipc/health.ts'

/** How much space the library's disk has left. */
export const spaceLeft = ({ isLow, freeBytes }: Health['disk']): 'fine' | 'low' | 'full' =>
  isLow ? (freeBytes === 0 ? 'full' : 'low') : 'fine'
