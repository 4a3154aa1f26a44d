import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isAlive } from '../../scripts/runtime/lock.ts'
import { temporaryFolder } from './temporary-folder.ts'

test.runIf(process.platform !== 'win32')(
  'a script is told to end, once, when the shell npm gave it is gone',
  async () => {
    const folder = temporaryFolder()
    const script = join(folder, 'script.mjs')
    const module = join(import.meta.dirname, '../../scripts/runtime/npm-shell.ts')
    writeFileSync(
      script,
      `import { endWithNpmShell } from ${JSON.stringify(module)}
    endWithNpmShell()
    let told = 0
    process.on('SIGTERM', () => { told += 1; setTimeout(() => { console.log('told', told); process.exit() }, 300) })
    setInterval(() => {}, 1000)
    console.log(process.pid)`,
    )
    // The command after it keeps the shell from replacing itself by the script.
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${script}"; true`], {
      env: { ...process.env, npm_lifecycle_event: 'test' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    while (!said.includes('\n')) await wait(20)
    const pid = Number(said.split('\n')[0])
    shell.kill('SIGTERM')
    for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await wait(20)
    expect(isAlive(pid)).toBe(false)
    expect(said).toContain('told 1')
  },
)
