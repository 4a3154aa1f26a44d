import { describe, expect, it } from 'vitest'

import { createMemoryStore } from '../../../packages/library/secrets/memory.ts'
import type { SecretStore, StoreProblem } from '../../../packages/library/secrets/store.ts'
import type { Marks } from '../../../packages/library/secrets/stored-secrets.ts'
import { createStoredSecrets } from '../../../packages/library/secrets/stored-secrets.ts'
import type { Result } from '../../../packages/wire/result.ts'
import { fail } from '../../../packages/wire/result.ts'

const acme = 'acme'

/** A store in memory that counts its calls and fails on demand, with marks as in the index and a controlled clock. */
function aStore(libraryId = 'library-1', values = createMemoryStore()) {
  const uses: string[] = []
  let problem: StoreProblem | null = null
  let nowMs = 0
  const use = <Value>(name: string, action: () => Promise<Result<Value, StoreProblem>>) => {
    uses.push(name)
    return problem ? Promise.resolve(fail(problem)) : action()
  }
  const store: SecretStore = {
    read: (account) => use(`read ${account}`, () => values.read(account)),
    write: (account, value) => use(`write ${account}`, () => values.write(account, value)),
    remove: (account) => use(`remove ${account}`, () => values.remove(account)),
  }
  const none = { secret: null, callbackAuth: null, bucketKeys: null }
  const known = new Map<string, { secret: string | null; callbackAuth: string | null; bucketKeys: string | null }>()
  const targetMarks = new Map<string, string>()
  const marksOf = (site: string) => known.get(site) ?? none
  const marks: Marks = {
    marks: marksOf,
    markSecret: (site, secret) => void known.set(site, { ...marksOf(site), secret }),
    markCallbackAuth: (site, callbackAuth) => void known.set(site, { ...marksOf(site), callbackAuth }),
    markBucketKeys: (site, bucketKeys) => void known.set(site, { ...marksOf(site), bucketKeys }),
    targetMark: (site, target) => targetMarks.get(`${site}/${target}`) ?? null,
    markTargetKey: (site, target, mark) =>
      void (mark === null ? targetMarks.delete(`${site}/${target}`) : targetMarks.set(`${site}/${target}`, mark)),
    targetsOf: (site) =>
      [...targetMarks.keys()].filter((key) => key.startsWith(`${site}/`)).map((key) => key.slice(site.length + 1)),
  }
  const secrets = createStoredSecrets(store, marks, libraryId, () => nowMs)
  const { writer } = secrets
  if (!writer) throw new Error('Stored secrets can be written')
  return {
    secrets,
    writer,
    marks,
    values,
    uses: () => uses.splice(0),
    break: (next: StoreProblem | null) => void (problem = next),
    pass: (ms: number) => void (nowMs += ms),
  }
}

const problems: readonly StoreProblem[] = ['locked', 'unavailable']

describe('the secret of a site', () => {
  it('is returned as it was set, only for its site and library', async () => {
    const { secrets, writer, values, uses } = aStore()
    expect(await writer.setSecret(acme, 'geheim "ü" \\ {"mark":1}')).toEqual({ ok: true, value: null })
    expect(await secrets.secret(acme)).toEqual({ ok: true, value: 'geheim "ü" \\ {"mark":1}' })
    expect(await secrets.presence(acme)).toBe('stored')
    expect(uses()).toEqual(['write secret:acme@library-1', 'read secret:acme@library-1'])
    expect(await secrets.secret('acme2')).toEqual(fail('missing'))
    const other = aStore('library-2', values)
    await other.writer.setSecret(acme, 'another')
    expect(await secrets.secret(acme)).toMatchObject({ value: 'geheim "ü" \\ {"mark":1}' })
  })

  it('that was never set is missing, and the store is not even asked', async () => {
    const { secrets, uses } = aStore()
    expect(await secrets.secret(acme)).toEqual(fail('missing'))
    expect(await secrets.presence(acme)).toBe('missing')
    expect(uses()).toEqual([])
  })

  const foreign: readonly (readonly [string, string | null])[] = [
    ['gone', null],
    ['replaced by text', 'just a password'],
    ['replaced by other JSON', '{"value":"x"}'],
    ['replaced by JSON that is no object', '"x"'],
    ['replaced by null', 'null'],
    ['put there under another mark', '{"mark":"other","value":"x"}'],
    ['put there with a value that is no text', '{"mark":"other","value":1}'],
  ]
  for (const [name, entry] of foreign) {
    it(`is changed when its entry is ${name}, and nothing is written`, async () => {
      const { secrets, writer, values, uses } = aStore()
      await writer.setSecret(acme, 'geheim')
      const account = 'secret:acme@library-1'
      await (entry === null ? values.remove(account) : values.write(account, entry))
      uses()
      expect(await secrets.secret(acme)).toEqual(fail('changed'))
      expect(await secrets.presence(acme)).toBe('changed')
      expect(uses()).toEqual([`read ${account}`, `read ${account}`])
      expect(await values.read(account)).toEqual({ ok: true, value: entry })
      // Setting the secret again repairs it.
      await writer.setSecret(acme, 'anew')
      expect(await secrets.secret(acme)).toEqual({ ok: true, value: 'anew' })
    })
  }

  for (const problem of problems) {
    it(`of a store that is ${problem} has that state, and is available again with the store`, async () => {
      const store = aStore()
      await store.writer.setSecret(acme, 'geheim')
      store.uses()
      store.break(problem)
      expect(await store.secrets.secret(acme)).toEqual(fail(problem))
      expect(await store.secrets.presence(acme)).toBe(problem)
      expect(store.uses().every((use) => use.startsWith('read'))).toBe(true)
      store.break(null)
      expect(await store.secrets.secret(acme)).toEqual({ ok: true, value: 'geheim' })
    })

    it(`that cannot be written because the store is ${problem} leaves the previous one in effect`, async () => {
      const store = aStore()
      await store.writer.setSecret(acme, 'before')
      const mark = store.marks.marks(acme)
      store.break(problem)
      expect(await store.writer.setSecret(acme, 'after')).toEqual(fail(problem))
      expect(store.marks.marks(acme)).toEqual(mark)
      store.break(null)
      expect(await store.secrets.secret(acme)).toEqual({ ok: true, value: 'before' })
    })
  }

  it('is cached for a minute, and then read again', async () => {
    const store = aStore()
    await store.writer.setSecret(acme, 'geheim')
    await store.secrets.secret(acme)
    store.uses()
    store.break('locked')
    store.pass(59_999)
    expect(await store.secrets.secret(acme)).toEqual({ ok: true, value: 'geheim' })
    expect(store.uses()).toEqual([])
    store.pass(1)
    expect(await store.secrets.secret(acme)).toEqual(fail('locked'))
    expect(store.uses()).toEqual(['read secret:acme@library-1'])
  })

  it('is not cached beyond a change or a removal', async () => {
    const store = aStore()
    await store.writer.setSecret(acme, 'one')
    await store.secrets.secret(acme)
    await store.writer.setSecret(acme, 'two')
    expect(await store.secrets.secret(acme)).toEqual({ ok: true, value: 'two' })
    expect(await store.writer.remove(acme, 'all')).toEqual({ ok: true, value: null })
    expect(await store.secrets.secret(acme)).toEqual(fail('changed'))
    expect(await store.values.read('secret:acme@library-1')).toEqual({ ok: true, value: null })
  })
})

describe('callback credentials', () => {
  const credentials = async (store: ReturnType<typeof aStore>, kind: 'basic' | 'bearer') => {
    const found = await store.secrets.callbackAuth({ id: acme, callbackAuth: kind })
    if (!found.ok) throw new Error(found.failure)
    return found.value
  }

  it('of kind none do not exist, whatever the store contains', async () => {
    const store = aStore()
    store.break('unavailable')
    expect(await store.secrets.callbackAuth({ id: acme, callbackAuth: 'none' })).toEqual({ ok: true, value: null })
    expect(await store.writer.provideCallbackAuth(acme, 'none')).toEqual({ ok: true, value: null })
    expect(store.uses()).toEqual([])
  })

  it('are generated once, at random, as user and password or as a token', async () => {
    const [one, two] = [aStore(), aStore()]
    for (const store of [one, two]) await store.writer.provideCallbackAuth(acme, 'basic')
    const first = await credentials(one, 'basic')
    expect(first).toEqual({ user: 'galley', password: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) })
    expect(await credentials(two, 'basic')).not.toEqual(first)
    one.uses()
    await one.writer.provideCallbackAuth(acme, 'basic')
    expect(one.uses().filter((use) => use.startsWith('write'))).toEqual([])
    expect(await credentials(one, 'basic')).toEqual(first)

    await one.writer.provideCallbackAuth(acme, 'bearer')
    expect(await credentials(one, 'bearer')).toEqual({
      user: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      password: null,
    })
  })

  it('are removed with their mark when they are turned off', async () => {
    const store = aStore()
    await store.writer.provideCallbackAuth(acme, 'bearer')
    await store.writer.provideCallbackAuth(acme, 'none')
    expect(await store.values.read('callback-auth:acme@library-1')).toEqual({ ok: true, value: null })
    expect(store.marks.marks(acme).callbackAuth).toBe(null)
    expect(await store.secrets.callbackAuth({ id: acme, callbackAuth: 'bearer' })).toEqual(fail('credentials_missing'))
  })

  it('are generated again if the store confirms that they are gone', async () => {
    const store = aStore()
    await store.writer.provideCallbackAuth(acme, 'basic')
    await store.values.remove('callback-auth:acme@library-1')
    expect(await store.secrets.callbackAuth({ id: acme, callbackAuth: 'basic' })).toEqual(fail('credentials_missing'))
    await store.writer.provideCallbackAuth(acme, 'basic')
    expect((await credentials(store, 'basic'))?.user).toBe('galley')
  })

  for (const problem of problems) {
    it(`are never overwritten after a failed read (${problem})`, async () => {
      const store = aStore()
      await store.writer.provideCallbackAuth(acme, 'basic')
      const before = await store.values.read('callback-auth:acme@library-1')
      store.uses()
      store.pass(120_000)
      store.break(problem)
      for (const kind of ['basic', 'bearer'] as const) {
        expect(await store.writer.provideCallbackAuth(acme, kind)).toEqual(fail(problem))
      }
      expect(store.uses().filter((use) => !use.startsWith('read'))).toEqual([])
      expect(await store.values.read('callback-auth:acme@library-1')).toEqual(before)
    })
  }

  it('are removed with the site, and an error of the store is reported', async () => {
    const store = aStore()
    await store.writer.setSecret(acme, 'geheim')
    await store.writer.provideCallbackAuth(acme, 'basic')
    await store.writer.setBucketKeys(acme, { id: 'key', secret: 'bucket-secret' })
    store.break('locked')
    expect(await store.writer.remove(acme, 'all')).toEqual(fail('locked'))
    store.break(null)
    expect(await store.writer.remove(acme, 'all')).toEqual({ ok: true, value: null })
    for (const what of ['secret', 'callback-auth', 'bucket-keys']) {
      expect(await store.values.read(`${what}:acme@library-1`)).toEqual({ ok: true, value: null })
    }
  })
})

describe('the keys of a bucket', () => {
  const keys = { id: 'key', secret: 'bucket-secret' }

  it('are stored, read and removed, and stay if only the secrets of the service are removed', async () => {
    const store = aStore()
    expect(await store.secrets.bucketKeys(acme)).toEqual(fail('missing'))
    expect(await store.writer.setBucketKeys(acme, keys)).toEqual({ ok: true, value: null })
    expect(await store.secrets.bucketKeys(acme)).toEqual({ ok: true, value: keys })
    await store.writer.setSecret(acme, 'geheim')
    await store.writer.remove(acme, 'of_service')
    expect(await store.secrets.bucketKeys(acme)).toEqual({ ok: true, value: keys })
    expect(await store.writer.setBucketKeys(acme, null)).toEqual({ ok: true, value: null })
    expect(await store.secrets.bucketKeys(acme)).toEqual(fail('missing'))
    expect(await store.values.read('bucket-keys:acme@library-1')).toEqual({ ok: true, value: null })
  })

  it('that another program replaced or removed are not used', async () => {
    const store = aStore()
    await store.writer.setBucketKeys(acme, keys)
    await store.values.write('bucket-keys:acme@library-1', JSON.stringify({ mark: 'other', value: '{}' }))
    expect(await store.secrets.bucketKeys(acme)).toEqual(fail('changed'))
    store.break('locked')
    expect(await store.secrets.bucketKeys(acme)).toEqual(fail('locked'))
  })
})
