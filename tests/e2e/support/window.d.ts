import type { Bridge } from '../../../src/contract/ipc.ts'

declare global {
  interface Window {
    readonly galley: Bridge
  }
}
