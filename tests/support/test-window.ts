import type { Desktop } from '../../src/main/ipc/desktop.ts'

/** A desktop whose dialogs are answered by the test: the answers are used up in order, null is a dialog that was closed. */
export function testDesktop(chosen: (string | null)[] = []) {
  const shown: string[] = []
  const opened: string[] = []
  const next = () => Promise.resolve(chosen.shift() ?? null)
  const desktop: Desktop = {
    openInBrowser: (url) => Promise.resolve(opened.push(url) > 0),
    chooseFile: next,
    chooseNewFile: next,
    chooseFolder: next,
    warn: async ({ message, detail }) => shown.push(`${message}: ${detail}`) > 0,
    copyText: async (text) => void shown.push(text),
    showInFolder: (path) => void shown.push(path),
    setStartAtLogin: async (isWanted) => void shown.push(`start at login ${isWanted}`),
    relaunch: () => void shown.push('relaunch'),
  }
  return { desktop, chosen, shown, opened }
}
