import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { startListen } from '../cli/support/cli.ts'
import { send } from '../support/delivery.ts'
import { aFreePort } from '../support/free-port.ts'
import type { SavedAnswer } from '../support/saves.ts'
import { aTeamWithOutage } from '../support/team.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0

interface Server {
  readonly url: string
  readonly health: string
}

/** Starts haproxy with the configuration of docs/operations, in front of listeners on this machine. Returns its URL. */
async function startBalancer(servers: Readonly<Record<string, Server>>): Promise<string> {
  const port = await aFreePort()
  const text = await readFile('docs/operations/haproxy.cfg', 'utf8')
  const configured = text
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/ resolvers containers .*$/m, '')
    .replace('check port 8788', 'check')
    .replaceAll(/^ {2}server (\S+) .*$/gm, (_line, name: string) => {
      const { url = '', health = '' } = servers[name] ?? {}
      return `  server ${name} ${new URL(url).host} port ${new URL(health).port}`
    })
  const file = join(await temporaryFolder(), 'haproxy.cfg')
  await writeFile(file, configured)
  const balancer = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  onTestFinished(async () => {
    balancer.kill('SIGKILL')
    if (balancer.exitCode === null && balancer.signalCode === null) await once(balancer, 'close')
  })
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(`${url}/health`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  return url
}

it.skipIf(!hasHaproxy)(
  'a balancer sends saves to listeners that can store them, and reads to all that are alive',
  async () => {
    const team = await aTeamWithOutage()
    expect((await team.import()).code).toBe(0)
    const folder = await team.newFolder()
    expect((await team.join(folder)).code).toBe(0)
    const started = await Promise.all(
      [team.library, folder].map((library) =>
        startListen(library, team.environment, { args: ['--port', '0', '--health-port', '0'] }),
      ),
    )
    const servers = started.map(({ url, lines: [first] }) => ({
      url,
      health: (first as { readonly health_url: string }).health_url,
    }))
    const [one, two] = servers
    if (!one || !two) throw new Error('There are no listeners')
    const url = await startBalancer({ one, two })
    const deliver = (versionId: string) => {
      const { body, headers } = team.save({ materialId: 'post-1', versionId })
      return send(`${url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
    }
    const codeOf = (versionId: string) => deliver(versionId).then(({ json }) => json.code ?? json.rc)

    const first = await deliver('v1')
    expect(first.json.rc, first.text).toBe(1)
    // Whoever sends a callback again gets an answer of the other listener, or JSON from the balancer.
    started[0]?.child.kill('SIGKILL')
    await expect.poll(() => codeOf('v2')).toBe(1)

    team.outage.isAway = true
    await expect.poll(() => codeOf('v3')).toBe('busy')
    const away = await deliver('v3')
    expect([away.status, away.headers['retry-after'], away.json.rc]).toEqual([503, '5', 0])
    const { data } = JSON.parse(first.text) as SavedAnswer
    const media = Object.values(data.vms_json?.assets ?? {}).map(({ clientUrl }) => url + new URL(clientUrl).pathname)
    expect(media).toHaveLength(1)
    for (const address of media) expect((await fetch(address)).status).toBe(200)

    team.outage.isAway = false
    await expect.poll(() => codeOf('v3')).toBe(1)
    expect((await team.run(folder, 'versions', 'acme', 'post-1')).json()).toHaveLength(3)
  },
)
