import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

import { isAlive } from '../../scripts/runtime/lock.ts'
import { temporaryFolder } from './temporary-folder.ts'

const script = (folder: string): string => {
  const file = join(folder, 'script.mjs')
  const module = join(import.meta.dirname, '../../scripts/runtime/npm-shell.ts')
  writeFileSync(
    file,
    `import { endWithNpmShell } from ${JSON.stringify(module)}
    endWithNpmShell()
    let told = 0
    process.on('SIGTERM', () => { told += 1; setTimeout(() => { console.log('told', told); process.exit() }, 300) })
    setInterval(() => {}, 1000)
    console.log(process.pid)`,
  )
  return file
}

test.runIf(process.platform !== 'win32')(
  'a script ends when npm is killed, although the shell of npm still runs',
  async () => {
    // As npm does: a shell that waits for the script.
    const command = `"${process.execPath}" "${script(temporaryFolder())}"; true`
    const npm = spawn(
      process.execPath,
      ['-e', `child_process.spawnSync('sh', ['-c', process.argv[1]], { stdio: 'inherit' })`, command],
      {
        env: { ...process.env, npm_lifecycle_event: 'test' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const said = createInterface({ input: npm.stdout })
    const [pid] = (await once(said, 'line')) as [string]
    onTestFinished(() => void (isAlive(Number(pid)) && process.kill(Number(pid), 'SIGKILL')))
    const told = once(said, 'line')
    npm.kill('SIGKILL')
    expect(await told).toEqual(['told 1'])
  },
)

test.runIf(process.platform !== 'win32')(
  'a script is told to end, once, when the shell npm gave it is gone',
  async () => {
    // The command after it keeps the shell from replacing itself by the script.
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${script(temporaryFolder())}"; true`], {
      env: { ...process.env, npm_lifecycle_event: 'test' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const said = createInterface({ input: shell.stdout })
    const [pid] = (await once(said, 'line')) as [string]
    onTestFinished(() => void (isAlive(Number(pid)) && process.kill(Number(pid), 'SIGKILL')))
    const told = once(said, 'line')
    shell.kill('SIGTERM')
    expect(await told).toEqual(['told 1'])
    await expect.poll(() => isAlive(Number(pid))).toBe(false)
  },
)
