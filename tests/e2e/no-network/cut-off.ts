import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

import { apart } from '../../../scripts/runtime/network-namespace.ts'
import { aFolder } from '../support/app.ts'

const script = fileURLToPath(new URL('cut-off.sh', import.meta.url))

/** Runs a command that can only reach this machine. Returns its exit code and its output. */
export async function runCutOff(command: readonly string[]): Promise<{ code: number | null; said: string }> {
  // A name server outside this machine, so that a DNS lookup counts as an attempt too.
  const nameServers = join(await aFolder(), 'resolv.conf')
  await writeFile(nameServers, 'nameserver 192.0.2.53\noptions timeout:1 attempts:1\n')
  // A nested test run: the variables of the outer run are not for the inner one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  const child = spawn('unshare', [...apart, 'sh', script, nameServers, ...command], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, said }
}
