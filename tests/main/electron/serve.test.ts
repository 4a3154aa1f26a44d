import { describe, expect, it } from 'vitest'

import type { Calls, Handlers } from '../../../src/ipc/calls.ts'
import { calls } from '../../../src/ipc/calls.ts'
import { createPush, internalErrorText, serve } from '../../../src/main/electron/serve.ts'

type Answer = (event: never, name: unknown, input: unknown) => Promise<unknown>

/** `serve` on a replacement for Electron's ipcMain, which only registers one handler. */
function served(
  over: Partial<Handlers> = {},
  isTrusted = true,
  opening = Promise.resolve(),
  isGone = () => false,
  loaded = Promise.resolve(),
) {
  const log: string[] = []
  const registered = new Map<string, Answer>()
  const seen: unknown[] = []
  const handlers = {
    libraryFolder: () => '/library',
    findMaterial: (input: unknown) => {
      seen.push(input)
      return null
    },
    ...over,
  } as Handlers
  serve<Calls>({
    ipcMain: { handle: (channel: string, listener: unknown) => registered.set(channel, listener as Answer) },
    served: loaded.then(() => ({ calls, handlers: () => opening.then(() => handlers) })),
    isTrusted: () => isTrusted,
    log: (line) => log.push(line),
  })
  const [answer] = registered.values()
  const call = (name: unknown, input: unknown): Promise<unknown> =>
    answer === undefined
      ? Promise.reject(new Error('nothing is registered'))
      : answer({ sender: { isDestroyed: isGone } } as never, name, input)
  return { call, log, registered, seen }
}

describe('serve', () => {
  it('registers one channel and answers a listed call', async () => {
    const { call, registered } = served()
    expect(registered.size).toBe(1)
    await expect(call('libraryFolder', undefined)).resolves.toBe('/library')
  })

  it('delays a call until the library is open, and refuses a foreign sender before that', async () => {
    let open = (): void => undefined
    const opening = new Promise<void>((resolve) => (open = resolve))
    const early = served({}, true, opening)
    const answer = early.call('findMaterial', { site: 'a', materialId: 'm' })
    await expect(served({}, false, opening).call('libraryFolder', undefined)).rejects.toThrow('Only the window')
    expect(early.seen).toEqual([])
    open()
    await expect(answer).resolves.toBeNull()
    expect(early.seen).toHaveLength(1)
  })

  it('delays a call until the code that answers it is loaded, and refuses a foreign sender before that', async () => {
    const { promise: loaded, resolve: load } = Promise.withResolvers<void>()
    const early = served({}, true, undefined, undefined, loaded)
    expect(early.registered.size).toBe(1)
    const answers = Promise.allSettled([early.call('libraryFolder', undefined), early.call('noSuchCall', undefined)])
    await expect(served({}, false, undefined, undefined, loaded).call('libraryFolder', undefined)).rejects.toThrow(
      'Only the window',
    )
    expect(early.log).toEqual([])
    load()
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  it('returns a failure if the library could not be opened', async () => {
    const { call, log } = served({}, true, Promise.reject(new Error('no such folder: /somewhere')))
    await expect(call('libraryFolder', undefined)).rejects.toThrow(internalErrorText)
    expect(log.join()).not.toContain('/somewhere')
  })

  it('logs no fault of a call whose window has closed, and its library with it', async () => {
    let isGone = false
    const closed = {
      libraryFolder: () => {
        isGone = true
        throw new TypeError('The database connection is not open')
      },
    }
    const { call, log } = served(closed, true, Promise.resolve(), () => isGone)
    await expect(call('libraryFolder', undefined)).resolves.toBeUndefined()
    expect(log).toEqual([])
  })

  it('refuses a sender other than the window, before it reads anything', async () => {
    const { call, seen } = served({}, false)
    await expect(call('findMaterial', { site: 'a', materialId: 'm' })).rejects.toThrow('Only the window')
    expect(seen).toEqual([])
  })

  it.each([['nothing'], ['__proto__'], ['toString'], [''], [null], [7], [{}]])('refuses the name %j', async (name) => {
    await expect(served().call(name, undefined)).rejects.toThrow('does not have this call')
  })

  it.each([
    [undefined],
    [null],
    [{}],
    [{ site: 1, materialId: 'm' }],
    [{ site: 'a'.repeat(201), materialId: 'm' }],
    [{ site: 'a', materialId: 'm', more: true }],
  ])('refuses an input that does not fit: %j', async (input) => {
    const { call, seen, log } = served()
    await expect(call('findMaterial', input)).rejects.toThrow('cannot use this input')
    expect(seen).toEqual([])
    expect(log.join()).toContain('input refused')
  })

  it('never logs or returns input, neither for refused input nor for a fault', async () => {
    const secret = 'hunter2-secret'
    const { call, log } = served({
      saveSite: () => {
        throw new TypeError(`bad ${secret}\nsecond line ${secret}`)
      },
    })
    await expect(call('saveSite', { secret })).rejects.not.toThrow(secret)
    await expect(call('changeSettings', { shortcuts: { [secret]: 5 } })).rejects.not.toThrow(secret)
    const form = {
      id: 'a',
      name: '',
      environment: 'dev',
      baseUrl: '',
      apiKey: '',
      callbackUrl: '',
      publicUrl: null,
      allowedDomains: [],
      unknownMaterials: 'refuse',
      callbackAuth: 'none',
      secret,
    }
    await expect(call('saveSite', form)).rejects.toThrow(internalErrorText)
    expect(log).toHaveLength(3)
    expect(log.join('\n')).not.toContain('hunter2')
    expect(log.join('\n')).toContain('saveSite: TypeError at ')
  })
})

describe('push', () => {
  it('reaches every open window', () => {
    const sent: unknown[] = []
    const window = (isGone: boolean) => ({ isDestroyed: () => isGone, send: (...all: unknown[]) => sent.push(all) })
    createPush(() => [window(false), window(true)])('changed', { subjects: ['sites'] })
    expect(sent).toEqual([['galley:push', 'changed', { subjects: ['sites'] }]])
  })
})
