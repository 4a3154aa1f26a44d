import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuthContext } from 'ssh2'
import { describe, expect, onTestFinished, test } from 'vitest'

import type { Oddity } from '../../support/odd-sftp-server.ts'
import { startOddSftp, status } from '../../support/odd-sftp-server.ts'
import { hasSshd, startSftp } from '../../support/sftp-server.ts'
import { temporaryFolder } from '../../support/test-galley.ts'
import { createPublishingFixture, filesIn } from './fixture.ts'

async function aTarget(oddity: Oddity, key = 'pw') {
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>Old</p>')
  const root = await temporaryFolder()
  const server = await startOddSftp(root, oddity)
  onTestFinished(server.close)
  const target = await fixture.addTarget(server.place('/web'), { key })
  const publishTwice = async () => {
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    await fixture.save('post-1', '<p>New</p>')
    expect(await fixture.publish(target)).toMatchObject({ ok: true })
    expect((await filesIn(join(root, 'web'))).get('post-1/index.html')?.toString()).toContain('New')
  }
  return { ...fixture, server, target, root, publishTwice }
}

type Prompt = { readonly prompt: string; readonly echo: boolean }
const hidden = { prompt: 'Password: ', echo: false }

/** Asks these questions, and the next ones after each right answer; accepts `pw` to each. */
const asking =
  (...rounds: readonly (readonly Prompt[])[]) =>
  (attempt: AuthContext): void => {
    if (attempt.method !== 'keyboard-interactive') return attempt.reject(['keyboard-interactive'])
    const ask = ([prompts, ...more]: readonly (readonly Prompt[])[]): void => {
      if (prompts === undefined) return attempt.accept()
      attempt.prompt([...prompts], (answers) =>
        answers.length === prompts.length && answers.every((each) => each === 'pw') ? ask(more) : attempt.reject(),
      )
    }
    ask(rounds)
  }

/** Asks for the password again and again, as some servers do after a wrong one. */
function askingForEver(attempt: AuthContext): void {
  if (attempt.method !== 'keyboard-interactive') return attempt.reject(['keyboard-interactive'])
  const ask = (): void => attempt.prompt([hidden], ask)
  ask()
}

describe('the login of an SFTP server', () => {
  test('that knows keyboard-interactive alone: the password answers its one hidden question', async () => {
    const { publishTwice, server } = await aTarget({ login: asking([hidden]) })
    await publishTwice()
    expect(new Set(server.attempts)).toEqual(new Set(['none', 'keyboard-interactive']))
  })

  test('that asks nothing more after the answer, and one that refuses the method password', async () => {
    await (await aTarget({ login: asking([hidden], []) })).publishTwice()
    const { publishTwice, server } = await aTarget({
      login: (attempt) =>
        attempt.method === 'keyboard-interactive'
          ? asking([hidden])(attempt)
          : attempt.reject(['publickey', 'password', 'keyboard-interactive']),
    })
    await publishTwice()
    expect(server.attempts.slice(0, 3)).toEqual(['none', 'password', 'keyboard-interactive'])
  })

  test.each([
    ['two questions', asking([hidden, { prompt: 'Code: ', echo: false }])],
    ['a question that shows its answer', asking([{ prompt: 'Code: ', echo: true }])],
    ['a second question', asking([hidden], [{ prompt: 'Code: ', echo: false }])],
    [
      'a second method',
      (attempt: AuthContext) =>
        attempt.method === 'password' ? attempt.reject(['publickey'], true) : attempt.reject(['password']),
    ],
  ])('that asks for more is refused with that reason: %s', async (_, login) => {
    const { galley, target } = await aTarget({ login })
    expect(await galley.releasing.check(target)).toMatchObject([
      { name: 'connect', ok: false, why: { code: 'sftp_more' } },
    ])
  })

  test.each([
    ['refuses it', asking([hidden])],
    ['asks again', askingForEver],
  ])('a wrong password: a server that %s', async (_, login) => {
    const { publish, target } = await aTarget({ login }, 'wrong')
    expect(await publish(target)).toMatchObject({ failure: { reason: { code: 'sftp_login' } } })
  })

  test('a server that takes no passwords, and one that has no SFTP', async () => {
    const onlyKeys = await aTarget({ login: (attempt) => attempt.reject(['publickey', 'hostbased']) })
    expect(await onlyKeys.publish(onlyKeys.target)).toMatchObject({
      failure: { reason: { code: 'sftp_methods', name: 'publickey, hostbased' } },
    })
    // The password was not sent.
    expect(onlyKeys.server.attempts).toEqual(['none'])
    const shell = await aTarget({ hasNoSftp: true })
    expect(await shell.publish(shell.target)).toMatchObject({ failure: { reason: { code: 'sftp_not_offered' } } })
  })
})

describe('an SFTP server', () => {
  const { OP_UNSUPPORTED, PERMISSION_DENIED, FAILURE, BAD_MESSAGE } = status

  test.each([
    ['has no SETSTAT', { answers: { SETSTAT: OP_UNSUPPORTED, FSETSTAT: OP_UNSUPPORTED } }],
    ['denies SETSTAT', { answers: { SETSTAT: PERMISSION_DENIED, FSETSTAT: PERMISSION_DENIED } }],
    ['fails at SETSTAT', { answers: { SETSTAT: FAILURE, FSETSTAT: FAILURE } }],
    ['does not understand SETSTAT', { answers: { SETSTAT: BAD_MESSAGE, FSETSTAT: BAD_MESSAGE } }],
    ['takes no mode of a folder', { refusesModes: true }],
    ['renames to free names only', { keepsFiles: true }],
  ])('that %s: the site is published, and published again', async (_, oddity) => {
    const { publishTwice, root } = await aTarget(oddity)
    await publishTwice()
    expect(await readdir(join(root, 'web/.galley'))).toEqual(expect.arrayContaining(['release.json']))
  })

  test('that cannot replace a file: the check says that this leaves a gap', async () => {
    const { galley, target, root } = await aTarget({ keepsFiles: true })
    await mkdir(join(root, 'web'))
    const checks = await galley.releasing.check(target)
    expect(checks.find(({ name }) => name === 'write')).toMatchObject({ ok: true, why: { code: 'sftp_gaps' } })
    expect([...(await filesIn(root)).keys()]).toEqual([])
    const other = await aTarget({})
    const same = await other.galley.releasing.check(other.target)
    expect(same.find(({ name }) => name === 'write')).toMatchObject({ ok: true, why: null })
  })

  test.skipIf(!hasSshd)("OpenSSH's replaces files", async () => {
    const fixture = await createPublishingFixture()
    const server = await startSftp(await temporaryFolder())
    onTestFinished(server.kill)
    const place = server.place(join(await temporaryFolder(), 'web'))
    const checks = await fixture.galley.releasing.check(await fixture.addTarget(place, { key: server.key }))
    expect(checks.map(({ ok, why }) => [ok, why])).toEqual([
      [true, null],
      [true, null],
      [true, null],
    ])
  })

  test.each([
    ['RENAME', OP_UNSUPPORTED, { code: 'sftp_unsupported', name: 'RENAME' }],
    ['WRITE', FAILURE, { code: 'sftp_failed' }],
    ['MKDIR', PERMISSION_DENIED, { code: 'sftp_denied' }],
  ] as const)('that answers %s with %i: the cause is that one', async (call, code, reason) => {
    const { publish, target } = await aTarget({ answers: { [call]: code } })
    expect(await publish(target)).toMatchObject({ failure: { reason } })
  })

  test('without RENAME: what is published stays', async () => {
    const answers: Record<string, number> = {}
    const { publish, save, target, root } = await aTarget({ answers })
    expect(await publish(target)).toMatchObject({ ok: true })
    const before = await filesIn(join(root, 'web'))
    answers['RENAME'] = OP_UNSUPPORTED
    await save('post-1', '<p>New</p>')
    expect(await publish(target)).toMatchObject({ failure: { reason: { code: 'sftp_unsupported' } } })
    const after = await filesIn(join(root, 'web'))
    for (const [path, bytes] of before) expect([path, after.get(path)]).toEqual([path, bytes])
  })
})
