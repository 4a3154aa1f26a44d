import type { Handlers } from '../../../ipc/calls.ts'
import type { ClipboardCalls } from '../../../ipc/clipboard.ts'
import type { Desktop } from '../desktop.ts'

export const clipboardHandlers = ({ copyText }: Pick<Desktop, 'copyText'>): Pick<Handlers, keyof ClipboardCalls> => ({
  async copyText({ text }) {
    await copyText(text)
    return null
  },
})
