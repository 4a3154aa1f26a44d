/** Gives a command a display: the user's own, or a virtual one while it runs. */

import type { Readable } from 'node:stream'

import { ensureSystem } from './debian.ts'
import { startService, stopService } from './processes.ts'
import { Unavailable } from './unavailable.ts'

export type Display = {
  /** `started`: a virtual display that no person sees. */
  readonly kind: 'own' | 'started'
  /** The environment in which programs find the display. */
  readonly env: NodeJS.ProcessEnv
}

const screen = '1440x900x24'
const startLimitMs = 15_000

/** Whether the user has a display. */
export function hasOwnDisplay(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): boolean {
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

/** Runs `use` with a display, and stops afterwards what was started for it. */
export async function withDisplay<T>(use: (display: Display) => Promise<T>): Promise<T> {
  if (hasOwnDisplay(process.env)) return use({ kind: 'own', env: { ...process.env } })
  await ensureSystem(['display'])
  // The server picks a free number and reports it on descriptor 3 once it accepts connections.
  const args = ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-noreset']
  const server = startService('Xvfb', args, ['ignore', 'ignore', 'pipe', 'pipe'])
  try {
    const number = await new Promise<number>((resolve, reject) => {
      let said = ''
      const fail = (why: string) => {
        clearTimeout(limit)
        reject(new Unavailable('Display', `Xvfb did not start (${why}). ${said.trim()}`.trim()))
      }
      const limit = setTimeout(fail, startLimitMs, `no answer within ${startLimitMs / 1000} s`)
      server.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
      server.on('error', (error) => fail(error.message))
      server.on('exit', (code) => fail(`exit code ${code}`))
      let reported = ''
      const report = server.stdio[3] as Readable
      report.setEncoding('utf8').on('data', (text: string) => {
        reported += text
        const found = displayNumber(reported)
        if (found === null) return
        clearTimeout(limit)
        resolve(found)
      })
    })
    return await use({ kind: 'started', env: { ...process.env, DISPLAY: `:${number}` } })
  } finally {
    await stopService(server)
  }
}

/** The number in an X server's report, or null while the line is incomplete. */
export function displayNumber(report: string): number | null {
  const line = /^(\d+)\n/.exec(report)
  return line ? Number(line[1]) : null
}
