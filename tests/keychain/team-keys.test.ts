import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { findCredentials } from '@napi-rs/keyring'
import { expect, onTestFinished, test } from 'vitest'

import { galleyProcess, startListen } from '../cli/support/cli.ts'
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
    galleyProcess([...args, '--json', '--library', library], environment, stdin)

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
})

test('a running listener takes other keys as soon as the bucket refuses the old ones', async () => {
  const bucket = { accepts: [keys.id], lastUsed: '' }
  const storage = await startS3Server({
    mishap(_method, _key, id) {
      bucket.lastUsed = id
      return bucket.accepts.includes(id) ? null : 'key_unknown'
    },
  })
  onTestFinished(storage.close)
  const { environment } = await onBus(sessionBus)
  const library = join(await temporaryFolder(), 'library')
  const run = (args: readonly string[], [id, secret]: readonly [string, string]) =>
    galleyProcess([...args, '--access-key-stdin', '--json', '--library', library], environment, `${id}\n${secret}\n`)
  const place = ['s3://team/library', '--endpoint', storage.url, '--region', 'us-east-1']
  const created = await run(['team', 'create', ...place], [keys.id, keys.secret])
  const { member } = created.json() as { member: string }
  const listener = await startListen(library, environment, { args: ['--port', '0', '--health-port', '0'] })
  const { health_url: health } = listener.lines[0] as { health_url: string }
  const ready = async () => (await fetch(`${health}/ready`)).json()
  await expect.poll(ready).toEqual({ ready: true, state: 'ready' })

  const wrong = await run(['team', 'keys'], ['NOBODY', 'NobodysS3cret'])
  expect(wrong.code).toBe(1)
  expect(wrong.failure()).toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining('does not know the access key') as string,
  })
  expect(wrong.stdout + wrong.stderr).not.toContain('NobodysS3cret')
  expect(entriesOf(member).map(({ password }) => password)).toEqual([`${keys.id}\n${keys.secret}`])

  bucket.accepts.push('OTHERKEY')
  const changed = await run(['team', 'keys'], ['OTHERKEY', 'OtherS3cret/+y'])
  expect(changed.json(), changed.stderr).toMatchObject({ member, offline: null, refuses: null })
  bucket.accepts = ['OTHERKEY']
  bucket.lastUsed = ''
  await expect.poll(() => ready().then(() => bucket.lastUsed)).not.toBe('')
  await expect.poll(ready).toEqual({ ready: true, state: 'ready' })
  expect(bucket.lastUsed).toBe('OTHERKEY')
  expect(listener.stderr()).toBe('')
})

test('a copy of a member folder that leaves does not take the keys of the other one', async () => {
  const storage = await startS3Server()
  onTestFinished(storage.close)
  const { environment } = await onBus(sessionBus)
  const folder = await temporaryFolder()
  const [library, copy] = [join(folder, 'library'), join(folder, 'copy')]
  const place = ['s3://team/library', '--endpoint', storage.url, '--region', 'us-east-1', '--access-key-stdin']
  const run = (library: string, ...args: string[]) =>
    galleyProcess([...args, '--json', '--library', library], environment, `${keys.id}\n${keys.secret}\n`)
  expect((await run(library, 'team', 'create', ...place)).code).toBe(0)
  await cp(library, copy, { recursive: true })
  expect((await run(copy, 'team', 'status')).json()).toMatchObject({ behind: 0, offline: null })
  const left = await run(copy, 'team', 'leave', '--fetch-all')
  expect(left.code, left.stderr).toBe(0)
  const { member } = left.json() as { member: string }
  expect((await run(library, 'team', 'status')).json()).toMatchObject({ member, behind: 0, offline: null })
  expect((await run(library, 'team', 'leave', '--fetch-all')).code).toBe(0)
  expect(findCredentials('Galley').filter(({ account }) => account.includes(member))).toEqual([])
})

test('a member whose keys are missing from the keychain reports it, and can still be read', async () => {
  const storage = await startS3Server()
  onTestFinished(storage.close)
  const { environment } = await onBus(sessionBus)
  const library = join(await temporaryFolder(), 'library')
  const place = ['s3://team/library', '--endpoint', storage.url, '--region', 'us-east-1']
  const reached = { ...environment, GALLEY_TEAM_ACCESS_KEY_ID: keys.id, GALLEY_TEAM_SECRET_ACCESS_KEY: keys.secret }
  const run = (variables: Record<string, string | undefined>, ...args: string[]) =>
    galleyProcess([...args, '--json', '--library', library], variables)
  // Made with keys of the environment, so the keychain never had any.
  expect((await run(reached, 'team', 'create', ...place, '--secrets', 'env')).code).toBe(0)
  const status = await run(environment, 'team', 'status')
  expect(status.json(), status.stderr).toMatchObject({
    behind: null,
    offline: expect.stringContaining('keys') as string,
  })
  expect((await run(environment, 'site', 'list')).json()).toEqual([])
})
