import { spawn } from 'node:child_process'

import { CommandFailure } from './command.ts'

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a validated URL in the system's browser. Uses no shell, so nothing in the URL is interpreted. */
export function showInBrowser(url: string): Promise<void> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () =>
      reject(new CommandFailure('no_browser', `The browser could not be started. Open this address yourself: ${url}`)),
    )
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
