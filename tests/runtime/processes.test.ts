import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'

import { isAlive } from '../../scripts/runtime/lock.ts'
import { capture, onPath, startService, stopService } from '../../scripts/runtime/processes.ts'
import { temporaryFolder } from './temporary-folder.ts'

test.runIf(process.platform !== 'win32')(
  'a command is found in the first folder that has it as an executable file',
  () => {
    const root = temporaryFolder()
    for (const folder of ['plain', 'first', 'second']) mkdirSync(join(root, folder))
    writeFileSync(join(root, 'plain', 'tool'), '', { mode: 0o644 })
    writeFileSync(join(root, 'first', 'tool'), '', { mode: 0o755 })
    writeFileSync(join(root, 'second', 'tool'), '', { mode: 0o755 })
    const path = ['plain', 'first', 'second', 'absent'].map((folder) => join(root, folder)).join(delimiter)
    expect(onPath('tool', path)).toBe(join(root, 'first', 'tool'))
    expect(onPath('other', path)).toBe(null)
  },
)

test('a command returns its exit code and both streams', async () => {
  const script = 'console.log("out"); console.error("err"); process.exitCode = 3'
  expect(await capture(process.execPath, ['-e', script])).toEqual({ code: 3, stdout: 'out\n', stderr: 'err\n' })
})

test('a stopped service has ended, even if it ignores the first signal', async () => {
  const script = 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)'
  const service = startService(process.execPath, ['-e', script], ['ignore', 'pipe', 'ignore'])
  await new Promise((resolve) => service.stdout?.once('data', resolve))
  await stopService(service)
  expect(isAlive(service.pid ?? 0)).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'a service ends with the process that started it, even a killed one',
  async () => {
    const module = join(import.meta.dirname, '../../scripts/runtime/processes.ts')
    const script = `import { startService } from ${JSON.stringify(module)}
    const service = startService('sh', ['-c', 'echo up; exec sleep 60'], ['ignore', 'pipe', 'ignore'])
    console.log(service.pid)
    service.stdout.once('data', () => process.kill(process.pid, 'SIGKILL'))`
    const { stdout } = await capture(process.execPath, ['--input-type=module', '-e', script])
    const pid = Number(stdout)
    expect(pid).toBeGreaterThan(0)
    await expect.poll(() => isAlive(pid)).toBe(false)
  },
)
