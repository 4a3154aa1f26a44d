import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

import { listen } from '../../src/main/edges/cli/listen.ts'
import { trustedProxyProblem } from '../../src/main/edges/http/client-address.ts'
import { serveProbes } from '../../src/main/edges/http/probes.ts'

// The example in docs/operations.md, as far as it can be checked without containers: its settings of Galley, and whether the
// balancer finds what the listeners serve.

interface Service {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
}

const folder = 'docs/operations'
const compose = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: { readonly team: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } } }
}
const balancer = readFileSync(join(folder, 'haproxy.cfg'), 'utf8')
const listeners = Object.entries(compose.services).filter(([, { command }]) => command?.includes('listen'))

/** The options of a listener, by the command's own table; throws where one is unknown. */
const optionsOf = ({ command = [] }: Service) =>
  parseArgs({ args: command.slice(command.indexOf('listen') + 1), options: listen.options ?? {} }).values

test('two listeners have valid options, separate libraries, and keys in the environment', () => {
  expect(listeners.map(([name]) => name)).toEqual(['one', 'two'])
  const [{ subnet } = { subnet: '' }] = compose.networks.team.ipam.config
  for (const [name, service] of listeners) {
    expect(service.command?.slice(0, 2)).toEqual(['node', '/opt/galley/out/main/cli.js'])
    const options = optionsOf(service)
    expect(options).toMatchObject({ host: '0.0.0.0', log: 'json', 'trusted-proxy': [subnet] })
    expect(trustedProxyProblem(subnet)).toBeNull()
    expect(service.volumes).toContain(`${name}:${service.environment?.['GALLEY_LIBRARY']}`)
    expect(service.environment).toMatchObject({ GALLEY_SECRETS: 'env' })
    for (const variable of ['GALLEY_TEAM_ACCESS_KEY_ID', 'GALLEY_TEAM_SECRET_ACCESS_KEY', 'GALLEY_SECRET_ACME'])
      expect(service.environment).toHaveProperty(variable)
  }
})

test('the balancer requests paths that the listeners serve', async () => {
  for (const [name, service] of listeners) {
    const { port, 'health-port': healthPort } = optionsOf(service)
    const servers = [...balancer.matchAll(/^ {2}server (\S+) (\S+):(\d+)$/gm)].filter(([, server]) => server === name)
    expect(servers.map(([, , host, at]) => [host, at])).toEqual([
      [name, port],
      [name, port],
    ])
    const checked = [...balancer.matchAll(/check port (\d+)/g)].map(([, at]) => at)
    expect(checked).toEqual([healthPort])
  }
  const probes = await serveProbes('127.0.0.1', 0, () => Promise.resolve('team_offline'))
  onTestFinished(probes.close)
  const statuses = await Promise.all(
    [...balancer.matchAll(/option httpchk GET (\S+)/g)].map(
      async ([, path]) => (await fetch(`${probes.url}${path}`)).status,
    ),
  )
  // Without the bucket: no callbacks, but media.
  expect(statuses).toEqual([503, 200])
  for (const [, mounted] of readFileSync(join(folder, 'compose.yaml'), 'utf8').matchAll(/"\.\/([^:]+):/g))
    expect(existsSync(join(folder, mounted ?? ''))).toBe(true)
})
