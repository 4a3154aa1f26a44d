import type { Bridge } from '../../contract/ipc/calls.ts'
import { createProvided } from '../context/provided.ts'

/** The calls to main and what main pushes. */
export const [useBridge, provideBridge] = createProvided<Bridge>('bridge')
