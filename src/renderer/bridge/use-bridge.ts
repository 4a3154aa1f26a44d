import type { Bridge } from '../../ipc/calls.ts'
import { createProvided } from '../context/provided.ts'

/** Calls to main and pushes from main. */
export const [useBridge, provideBridge] = createProvided<Bridge>('bridge')
