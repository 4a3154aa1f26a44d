import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'

import { startListen } from './support/cli.ts'
import { aNewsroom } from './support/library.ts'

const hourMs = 3_600_000

/** Makes it that the listener of a library was last alive so long ago. */
function wasAlive(library: string, agoMs: number): string {
  const db = new BetterSqlite3(join(library, 'local.db'))
  const until = Date.now() - agoMs
  db.prepare('UPDATE setting SET value = ? WHERE name = ?').run(String(until), 'listening-until')
  db.close()
  return new Date(until).toISOString()
}

it.each([
  ['SIGTERM', 0, true],
  ['SIGKILL', 'SIGKILL', true],
  ['SIGTERM', 0, false],
] as const)(
  'after %s, the start names the time in which saves did not arrive, where a page was in the editor: %s, %s',
  async (signal, code, isOpen) => {
    const { library, environment, listener, run } = await aNewsroom()
    if (isOpen) expect((await run('open', 'acme', 'post-1', '--title', 'Harbour')).code).toBe(0)
    listener.child.kill(signal)
    expect(await listener.ended).toBe(code)
    const until = wasAlive(library, hourMs)
    const again = await startListen(library, environment, { args: ['--port', '0', '--log', 'json'] })
    const said = () =>
      again
        .stderr()
        .split('\n')
        .filter((line) => line.includes('closed from'))
    if (!isOpen) return expect(said()).toEqual([])
    await again.says('closed from')
    const [line = ''] = said()
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(
        new RegExp(`^closed from ${until} to .{24}: callbacks sent during that time did not arrive$`),
      ) as string,
    })
    // Once: the next start is about the time since then.
    again.child.kill('SIGTERM')
    await again.ended
    const third = await startListen(library, environment)
    expect(third.stderr()).not.toContain('closed from')
  },
)
