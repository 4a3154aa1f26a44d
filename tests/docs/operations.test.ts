import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'

import { listen } from '../../packages/cli/listen.ts'
import { valuesOf } from '../../packages/cli/option.ts'
import { parsedArguments } from '../../packages/cli/parse.ts'
import { trustedProxyProblem } from '../../packages/library/http/client-address.ts'
import { serveProbes } from '../../packages/library/http/probes.ts'
import { temporaryFolder } from '../support/test-galley.ts'

// The examples of docs/operations.md, as far as it can be checked without containers: its settings of Galley, and whether the
// balancer finds what the listeners serve.

interface Service {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
}

const folder = 'docs/operations'

/** Runs a program; null where the machine does not have it. */
const ran = (program: string, ...args: string[]) =>
  promisify(execFile)(program, args).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: unknown) => {
      const { code, stderr } = error as { readonly code: unknown; readonly stderr: string }
      return code === 'ENOENT' ? null : { code, stderr }
    },
  )

const compose = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: { readonly team: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } } }
}
const balancer = readFileSync(join(folder, 'haproxy.cfg'), 'utf8')
const listeners = Object.entries(compose.services).filter(([, { command }]) => command?.includes('listen'))

/** The options of a listener, by the command's own table; throws where one is unknown. */
const optionsOf = ({ command = [] }: Service) =>
  valuesOf(listen.options, parsedArguments(listen, command.slice(command.indexOf('listen') + 1)).given)

test('two listeners have valid options, separate libraries, and keys in the environment', () => {
  expect(listeners.map(([name]) => name)).toEqual(['one', 'two'])
  const [{ subnet } = { subnet: '' }] = compose.networks.team.ipam.config
  for (const [name, service] of listeners) {
    expect(service.command?.slice(0, 2)).toEqual(['node', '/opt/galley/node_modules/galley-cli/galley.js'])
    const options = optionsOf(service)
    expect(options).toMatchObject({ host: '0.0.0.0', log: 'json', trustedProxy: [subnet] })
    expect(trustedProxyProblem(subnet)).toBeNull()
    expect(service.volumes).toContain(`${name}:${service.environment?.['GALLEY_LIBRARY']}`)
    expect(service.environment).toMatchObject({ GALLEY_SECRETS: 'env' })
    for (const variable of ['GALLEY_TEAM_ACCESS_KEY_ID', 'GALLEY_TEAM_SECRET_ACCESS_KEY', 'GALLEY_SECRET_ACME'])
      expect(service.environment).toHaveProperty(variable)
  }
})

test('the balancer requests paths that the listeners serve', async () => {
  for (const [name, service] of listeners) {
    const { port, healthPort } = optionsOf(service)
    const servers = [...balancer.matchAll(/^ {2}server (\S+) (\S+):(\d+)$/gm)].filter(([, server]) => server === name)
    expect(servers.map(([, , host, at]) => [host, at])).toEqual([
      [name, String(port)],
      [name, String(port)],
    ])
    const checked = [...balancer.matchAll(/check port (\d+)/g)].map(([, at]) => at)
    expect(checked).toEqual([String(healthPort)])
  }
  const probes = await serveProbes('127.0.0.1', 0, () => Promise.resolve({ state: 'team_offline' }))
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

test('a balancer without a listener answers as one, with JSON and rc 0', () => {
  const answers = [
    ...balancer.matchAll(/^ {2}http-error status (\d+) content-type application\/json .*string '(.*)'$/gm),
  ]
  expect(answers.map(([, status]) => status)).toEqual(['503', '502', '504'])
  for (const [, , body = ''] of answers)
    expect(JSON.parse(body)).toEqual({ rc: 0, rm: expect.stringMatching(/\.$/) as string, code: 'busy' })
})

test('the configuration of the balancer is valid', async ({ skip }) => {
  const checked = await ran('haproxy', '-c', '-f', join(folder, 'haproxy.cfg'))
  if (checked === null) return skip('this machine has no haproxy')
  expect(checked.code, checked.stderr).toBe(0)
})

test('the systemd unit has valid options, and does not repeat what cannot succeed', async ({ skip }) => {
  const unit = readFileSync(join(folder, 'galley.service'), 'utf8')
  const [, node = '', command = ''] = /^ExecStart=(\S+) (.+)$/m.exec(unit) ?? []
  expect(node).toBe('/usr/bin/node')
  const [script, name, flag, library, ...given] = command.split(' ')
  expect([script, name, flag]).toEqual(['/opt/galley/node_modules/galley-cli/galley.js', 'listen', '--library'])
  expect(optionsOf({ command: given })).toMatchObject({
    host: '127.0.0.1',
    log: 'json',
    trustedProxy: ['127.0.0.1'],
  })
  expect(library).toBe(`/var/lib/${/^StateDirectory=(.+)$/m.exec(unit)?.[1]}`)
  expect(unit).toMatch(/^RestartPreventExitStatus=2$/m)
  // The path of this Node, because the unit names one that is not on this machine.
  const file = join(await temporaryFolder(), 'galley.service')
  writeFileSync(file, unit.replace(node, process.execPath))
  const checked = await ran('systemd-analyze', 'verify', file)
  if (checked === null) return skip('this machine has no systemd')
  // It also reports other units of the machine.
  expect(checked.stderr.split('\n').filter((line) => line.includes('galley.service'))).toEqual([])
})
