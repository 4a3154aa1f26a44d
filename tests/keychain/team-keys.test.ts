import { findCredentials } from '@napi-rs/keyring'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { galleyProcess } from '../cli/support/cli.ts'
import { startS3Server } from '../support/s3-server.ts'
import { temporaryFolder } from '../support/test-galley.ts'
import { expectNowhere, onBus, sessionBus } from './support/session.ts'

// The keys of a team's bucket in the real Secret Service: stored by a join, used by commands, forgotten when it ends.

const keys = { id: 'AKIDOFTHETEAM', secret: 'S3cretOfTheBucket/+x' }
const entriesOf = (member: string) =>
  findCredentials('Galley').filter(({ account }) => account === `team-keys@${member}`)

test('the keys of a bucket are stored in the keychain, and removed when the library leaves', async () => {
  const storage = await startS3Server()
  onTestFinished(storage.close)
  const { environment } = await onBus(sessionBus)
  const library = join(await temporaryFolder(), 'library')
  const place = ['s3://team/library', '--endpoint', storage.url, '--region', 'us-east-1']
  const run = (args: readonly string[], stdin = '') =>
    galleyProcess([...args, '--json', '--library', library], environment, stdin, 60_000)

  const malformed = await run(['team', 'create', ...place, '--access-key-stdin'], `${keys.id}\n`)
  expect(malformed.code).toBe(2)
  const created = await run(['team', 'create', ...place, '--access-key-stdin'], `${keys.id}\n${keys.secret}\n`)
  expect(created.code, created.stderr).toBe(0)
  const { member } = created.json() as { member: string }
  expect(entriesOf(member).map(({ password }) => password)).toEqual([`${keys.id}\n${keys.secret}`])
  await expectNowhere(keys.secret, library)

  // Later commands find them by themselves.
  expect((await run(['team', 'status'])).json()).toMatchObject({ member, behind: 0, offline: null })
  const others = 'OTHERKEY\nOtherS3cret/+y'
  expect((await run(['team', 'keys'])).code).toBe(2)
  expect((await run(['team', 'keys', '--access-key-stdin'], `${others}\n`)).json()).toMatchObject({ member })
  expect(entriesOf(member).map(({ password }) => password)).toEqual([others])
  const left = await run(['team', 'leave', '--fetch-all'])
  expect(left.code, left.stderr).toBe(0)
  expect(entriesOf(member)).toEqual([])
}, 90_000)

test('a member whose keys are missing from the keychain reports it, and can still be read', async () => {
  const storage = await startS3Server()
  onTestFinished(storage.close)
  const { environment } = await onBus(sessionBus)
  const library = join(await temporaryFolder(), 'library')
  const place = ['s3://team/library', '--endpoint', storage.url, '--region', 'us-east-1']
  const reached = { ...environment, GALLEY_TEAM_ACCESS_KEY_ID: keys.id, GALLEY_TEAM_SECRET_ACCESS_KEY: keys.secret }
  const run = (variables: Record<string, string | undefined>, ...args: string[]) =>
    galleyProcess([...args, '--json', '--library', library], variables, '', 60_000)
  // Made with keys of the environment, so the keychain never had any.
  expect((await run(reached, 'team', 'create', ...place, '--secrets', 'env')).code).toBe(0)
  const status = await run(environment, 'team', 'status')
  expect(status.json(), status.stderr).toMatchObject({
    behind: null,
    offline: expect.stringContaining('keys') as string,
  })
  expect((await run(environment, 'site', 'list')).json()).toEqual([])
}, 90_000)
