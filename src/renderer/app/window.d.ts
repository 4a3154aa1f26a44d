import type { Bridge } from '../../ipc/calls.ts'

declare global {
  interface Window {
    /** Set by the preload; the page's only connection to main. */
    readonly galley: Bridge
  }
}
