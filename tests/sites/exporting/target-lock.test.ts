import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { temporaryFolder } from './folders.ts'

const script = join(import.meta.dirname, 'hold-target.ts')
const rawSql = join(import.meta.dirname, '../../library/db/raw-sql.ts')

/** Another process that wants the lock of a folder, with its own folder for temporary files. */
async function exporter(directory: string, uid?: number) {
  const own = join(temporaryFolder(), 'tmp')
  mkdirSync(own)
  chmodSync(own, 0o777)
  const child = spawn(process.execPath, ['--import', rawSql, script, directory], {
    env: { ...process.env, TMPDIR: own },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const said = await Promise.race([
    once(child.stdout, 'data').then(([data]) => String(data).trim()),
    exited.then(() => 'exited'),
  ])
  return { said, kill: () => (child.kill('SIGKILL'), exited), end: () => (child.stdin.end(), exited) }
}

test.skipIf(process.platform === 'win32')(
  'one process at a time exports into a folder, whatever their folders for temporary files',
  async () => {
    const out = temporaryFolder()
    const first = await exporter(out)
    const second = await exporter(out)
    expect([first.said, second.said]).toEqual(['held', 'busy'])
    expect((await exporter(join(out, 'other'))).said).toBe('held')
    await first.end()
    const third = await exporter(out)
    expect(third.said).toBe('held')
    // The lock dies with its process.
    await third.kill()
    const last = await exporter(out)
    expect(last.said).toBe('held')
    await last.end()
    expect(readdirSync(out)).toEqual([])
  },
)

const otherUser = 65_534

test.skipIf(process.platform === 'win32' || process.getuid?.() !== 0)(
  'exports of two users into one folder exclude each other, also after one was killed',
  async () => {
    const out = join('/tmp', `galley-test-${process.pid}-of-all`)
    const first = await exporter(out)
    expect([first.said, (await exporter(out, otherUser)).said]).toEqual(['held', 'busy'])
    // Its file stays behind, and belongs to the first user.
    await first.kill()
    const second = await exporter(out, otherUser)
    expect([second.said, (await exporter(out)).said]).toEqual(['held', 'busy'])
    await second.end()
    const third = await exporter(out)
    expect(third.said).toBe('held')
    await third.end()
  },
)
