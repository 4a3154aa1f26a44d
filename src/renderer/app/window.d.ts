import type { Bridge } from '../../contract/ipc/calls.ts'

declare global {
  interface Window {
    /** Put there by the preload; the only way out of this page. */
    readonly galley: Bridge
  }
}
