import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

import { themes } from '../../packages/kit/cases.ts'
import type { Options } from '../../packages/kit/options.ts'
import { junitXml } from '../../packages/kit/report/junit.ts'
import { isPassing } from '../../packages/kit/report/report.ts'
import { reportText } from '../../packages/kit/report/table.ts'
import { startArchiveServer } from '../../packages/kit/service/archive-server.ts'
import { aFreePort } from '../support/free-port.ts'
import { failedIn, idsOf, runKit } from './support/kit.ts'
import type { Fault } from './support/site-stub/faults.ts'
import { aStub, apiKey, auth, basic, runStub, secret } from './support/stub-run.ts'
import { wrongOpens } from './support/wrong-backends.ts'

test.for(wrongOpens)('%s: a session that is opened wrongly is found out', async ([id, body]) => {
  const opened = Promise.withResolvers<void>()
  const stub = await aStub([], basic)
  onTestFinished(stub.close)
  const run = runKit(stub, { auth, only: ['save-accepted', id], onOutcome: () => opened.resolve() })
  await opened.promise
  const address = `http://127.0.0.1:${stub.port}/integration/session/open`
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
  expect(Object.keys(failedIn(await run))).toEqual([id])
})

test('a secret that may be an ordinary word, or is part of the api_key, is not looked for', async () => {
  const ids = ['secret-never-answered', 'secret-never-downloaded', 'download-failure-discreet'] as const
  const failedWith = async (secret: string) => {
    const stub = await aStub(['tells-the-secret', 'sends-the-secret'], null, secret)
    onTestFinished(stub.close)
    return Object.keys(failedIn(await runKit(stub, { only: ['save-accepted', ...ids] }))).toSorted()
  }
  expect(await failedWith('a-whole-secret')).toEqual(ids.toSorted())
  expect(await failedWith('secret')).toEqual([])
  expect(await failedWith('stub-key'.slice(0, -1))).toEqual([])
})

test('secrets that a backend reveals are not repeated in the report', async () => {
  const { report } = await runStub(['tells-addresses', 'never-tries-again'], { only: ['download-tried-again'] })
  const [outcome] = report.outcomes
  expect(outcome?.got).toContain('api_key=…')
  expect(outcome?.got).not.toMatch(/stub-key|[0-9a-f]{64}/)
})

test('one connection that is cut does not cost the cases that rest on its file', async () => {
  const only = ['save-accepted', 'client-urls-public', 'media-served', 'media-many']
  const { report } = await runStub(['cuts-the-first-file'], { only })
  expect(failedIn(report)).toEqual({})
  expect(report.outcomes.map(({ got }) => got).filter((got) => got.includes('was fetched again'))).toHaveLength(1)
})

test('a backend that becomes unreachable ends the run, and does not fail every case', async () => {
  const stub = await aStub([])
  const report = await runKit(stub, { onOutcome: (_, done) => void (done === 20 && stub.close()) })
  expect(report.cutShort).toMatch(/^The backend stopped answering during .*refused/)
  expect(report.outcomes.filter(({ ms }) => ms > 0).length).toBeLessThan(30)
  // The JUnit report alone must show that the run was incomplete.
  const xml = junitXml(report, { failOn: 'unsafe', allowUnchecked: false })
  const named = themes.flatMap(({ cases }) => cases).filter(({ id }) => xml.includes(`name="${id}: `))
  expect(named).toHaveLength(themes.flatMap(({ cases }) => cases).length)
  expect(xml).toContain('<error type="unchecked" message="unchecked: the run ended before this case">')
  expect(xml).toContain('<error type="unchecked" message="The backend stopped answering')
})

const strict = { failOn: 'unsafe', allowUnchecked: false } as const

test('media that cannot be fetched from here are unchecked, and no pass in any format', async () => {
  const { report } = await runStub(['names-an-unknown-host'])
  expect(failedIn(report)).toEqual({})
  const why = 'http://media.invalid was not reached from here: the host name is unknown'
  expect(idsOf(report, 'unchecked')).toMatchObject({ 'media-served': why, 'name-plain': why, 'public-svg': why })
  expect(isPassing(report, strict)).toBe(false)
  expect(isPassing(report, { ...strict, allowUnchecked: true })).toBe(true)
  expect(reportText(report)).toContain(
    `? Every returned URL serves its file each time\n      unchecked  media-served: ${why}`,
  )
  expect(reportText(report)).toMatch(/\d+ passed, 0 failed, \d\d+ unchecked, 0 skipped$/)
  expect(junitXml(report, strict)).toContain(`<error type="unchecked" message="unchecked: ${why}">`)
  expect(junitXml(report, { ...strict, allowUnchecked: true })).not.toMatch(/<error|<failure/)
})

test('a file that the site has no time for now is unchecked: it may be served later', async () => {
  const { report } = await runStub(['is-busy-with-scripts'], { only: ['public-svg', 'public-html', 'public-type'] })
  const why = 'its URL answers HTTP 503 at the moment'
  expect(idsOf(report, 'unchecked')).toEqual({ 'public-svg': why, 'public-html': why })
  expect(idsOf(report, 'passed')).toHaveProperty('public-type')
})

test('a case that others explain is skipped and names them', async () => {
  const { report } = await runStub(['verifies-nothing'])
  expect(idsOf(report, 'skipped')).toMatchObject({ 'signature-missing': 'signature-wrong failed' })
  expect(reportText(report)).toContain(
    '- A callback without a signature is refused\n      skipped  signature-missing: ',
  )
  expect(junitXml(report, strict)).toContain('<skipped message="skipped: signature-wrong failed"/>')
})

test('JUnit fails exactly if the exit code is 1: unwise cases fail only on request', async () => {
  const { report } = await runStub(['never-tries-again'], { only: ['download-tried-again', 'download-slow'] })
  expect(Object.keys(failedIn(report))).toEqual(['download-tried-again'])
  expect(isPassing(report, strict)).toBe(true)
  expect(junitXml(report, strict)).not.toMatch(/<failure|<error/)
  expect(junitXml(report, strict)).toContain('<skipped message="unwise: HTTP 502')
  expect(isPassing(report, { ...strict, failOn: 'unwise' })).toBe(false)
  expect(junitXml(report, { ...strict, failOn: 'unwise' })).toContain('<failure type="unwise"')
})

test.for([
  ['accepts-with-a-redirect', 'save-accepted', 'HTTP 302, rc 1, rm "Saved successfully"'],
  ['accepts-with-a-failure', 'answer-status', 'HTTP 500, rc 1, rm "Saved successfully"'],
  ['accepts-with-a-failure', 'fonts-accepted', 'HTTP 500, rc 1, rm "Fonts saved successfully"'],
  ['fonts-tree-as-text', 'fonts-tree-object', 'data.fonts is not an object: string'],
  ['fonts-data-as-text', 'fonts-tree-object', 'data is not an object: string'],
  ['fonts-tree-as-text', 'fonts-tree-public', 'data.fonts is not an object: string'],
] as const)('%s fails %s in the text, in JUnit and in the exit code', async ([fault, id, got]) => {
  const { report } = await runStub([fault], { only: [id] })
  expect(failedIn(report)).toEqual({ [id]: got })
  expect(reportText(report)).toContain(`breaks the contract  ${id}\n`)
  expect(junitXml(report, strict)).toContain(
    `<failure type="breaks the contract" message="${got.replaceAll('"', '&#34;')}"`,
  )
  expect(isPassing(report, { failOn: 'breaks the contract', allowUnchecked: true })).toBe(false)
  // What the backend probably stored is listed whatever its HTTP status is.
  expect(report.stored).toHaveLength(1)
})

test('a case that was named and could not run is a lack; one that was left out is not', async () => {
  const stub = await aStub([])
  onTestFinished(stub.close)
  const named = await runKit(stub, { only: ['authorization-accepted'] })
  expect(idsOf(named, 'unchecked')).toEqual({ 'authorization-accepted': 'needs --auth' })
  expect(isPassing(named, strict)).toBe(false)
  const skip = await runKit(stub, { only: ['save-accepted', 'download-get'], skip: ['download-get'] })
  expect(idsOf(skip, 'unchecked')).toEqual({ 'download-get': 'left out with --skip' })
  expect(isPassing(skip, strict)).toBe(true)
})

test('that no file was written outside is a pass only on a disk that the kit is said to see', async () => {
  const only = ['entry-stays-inside']
  const unseen = 'the disk of the backend cannot be seen without --same-disk'
  const faultless = await runStub([], { only, sameDisk: false })
  expect(idsOf(faultless.report, 'unchecked')).toEqual({
    'entry-stays-inside': `0 of 4 such archives were accepted, and ${unseen}`,
  })
  const careless = await runStub(['ignores-entry-names'], { only, sameDisk: false })
  expect(idsOf(careless.report, 'unchecked')['entry-stays-inside']).toMatch(/^[1-4] of 4 .*--same-disk$/)
  // What the kit finds is a failure, whatever it was told.
  const written = await runStub(['writes-where-names-lead'], { only, sameDisk: false })
  expect(Object.keys(failedIn(written.report))).toEqual(only)
  // Nor does an address that does not answer prove that nothing is there.
  const silent = await runStub(['names-an-unknown-host'], { only })
  expect(idsOf(silent.report, 'unchecked')['entry-stays-inside']).toMatch(/media\.invalid.* could not be read$/)
  expect(idsOf((await runStub([], { only })).report, 'passed')).toHaveProperty('entry-stays-inside')
})

/** A run against a stub that downloads from a base URL with this host. */
async function runAt(host: string, faults: readonly Fault[], options: Partial<Options>) {
  const stub = await aStub(faults, null, secret, host)
  onTestFinished(stub.close)
  return runKit(stub, { baseUrl: new URL(stub.baseUrl), ...options })
}

test('that nothing was fetched from another host is a pass only when the backend can reach that host', async () => {
  const only = ['content-url-elsewhere', 'content-url-user-info', 'redirect-302', 'fonts-elsewhere', 'content-url-file']
  // An address of every machine that leads to this one, as a name or a tunnel would.
  const elsewhere = { only, sameDisk: false }
  const faultless = await runAt('0.0.0.0', [], elsewhere)
  const why = 'the other host is on this machine, and a backend elsewhere cannot reach it: see --same-disk'
  expect(idsOf(faultless, 'unchecked')).toEqual(Object.fromEntries(only.slice(0, 4).map((id) => [id, why])))
  expect(idsOf(faultless, 'passed')).toHaveProperty('content-url-file')
  // Like every case that weighs "unsafe".
  expect(isPassing(faultless, strict)).toBe(true)
  // What the kit sees is a failure, wherever the backend runs.
  const careless = await runAt('0.0.0.0', ['fetches-anywhere', 'follows-redirects'], elsewhere)
  expect(Object.keys(failedIn(careless)).toSorted()).toEqual(only.slice(0, 4).toSorted())
  const beside = await runAt('0.0.0.0', [], { only, sameDisk: true })
  expect(Object.keys(idsOf(beside, 'passed')).toSorted()).toEqual(only.toSorted())
})

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

test.runIf(hasIpv6)('a base URL of this machine may be its IPv6 address', async () => {
  const only = ['save-accepted', 'content-url-elsewhere']
  const careful = await runAt('[::1]', [], { only, sameDisk: false })
  expect(Object.keys(idsOf(careful, 'passed')).toSorted()).toEqual(only.toSorted())
  expect(Object.keys(failedIn(await runAt('[::1]', ['fetches-anywhere'], { only })))).toEqual(['content-url-elsewhere'])
})

test.runIf(hasIpv6)('with a base URL of another machine the kit listens on addresses of both kinds', async () => {
  const only = ['save-accepted']
  for (const host of ['0.0.0.0', '[::]']) expect(failedIn(await runAt(host, [], { only })), host).toEqual({})
})

test('a page that cannot be looked at is unchecked: none was named, or it does not show the save', async () => {
  const only = ['page-without-dummies']
  const unnamed = await runStub([], { pageTemplate: null })
  expect(idsOf(unnamed.report, 'unchecked')).toMatchObject({ 'page-without-dummies': 'needs --page' })
  expect(isPassing(unnamed.report, strict)).toBe(true)
  const later = await runStub(['publishes-later'], { only })
  expect(idsOf(later.report, 'unchecked')).toEqual({ 'page-without-dummies': 'the page answers HTTP 404' })
  expect(isPassing(later.report, strict)).toBe(false)
})

test('pictures that are served smaller pass, with a note', async () => {
  const { report } = await runStub(['optimises-pictures'], { only: ['media-served', 'name-plain'] })
  expect(report.outcomes.map(({ result, got }) => [result, got.includes('encoded again, so only')])).toEqual([
    ['passed', true],
    ['passed', true],
  ])
})

test('an answer that looks like JSON and is none: the sentence says why', async () => {
  const first = async (fault: Fault) =>
    failedIn((await runStub([fault], { only: ['save-accepted'] })).report)['save-accepted']
  expect(await first('marks-answers')).toMatch(/^HTTP 200 with a byte order mark, which JSON does not allow, /)
  expect(await first('cuts-answers')).toMatch(/^HTTP 200 with broken JSON \(Expected .* in JSON at position \d+/)
})

test('a text that came back otherwise is shown where it differs', async () => {
  const { report } = await runStub(['answers-in-latin-1'], { only: ['state-escapes', 'state-asset-members'] })
  expect(failedIn(report)).toMatchObject({
    'state-asset-members': 'assets.hero.png.alt is another text: "H\ufffdhe", not "Höhe"; the answer is not UTF-8',
  })
})

test('a font tree of its own shape is judged by its clientUrls', async () => {
  const only = ['fonts-served', 'fonts-cross-origin', 'fonts-css-quoted']
  const { report } = await runStub(['fonts-tree-of-its-own'], { only })
  expect(Object.keys(idsOf(report, 'passed'))).toEqual(only)
})

test('a backend that refuses everything alike shows by another URL that it reads UTF-8', async () => {
  const { report } = await runStub(['refuses-all-alike'], { only: ['body-utf8', 'materials-apart'] })
  expect(idsOf(report, 'passed')).toHaveProperty('body-utf8')
  // It knows no other material.
  expect(idsOf(report, 'unchecked')).toEqual({ 'materials-apart': 'needs a second --material' })
  const latin = await runStub(['refuses-all-alike', 'reads-latin-1'], { only: ['body-utf8'] })
  expect(idsOf(latin.report, 'unchecked')['body-utf8']).toMatch(/pass a non-ASCII --material$/)
})

test('answers and files without end are read up to a limit, and reported by it', async () => {
  const answers = await runStub(['answers-without-end'], { only: ['save-accepted'] })
  expect(failedIn(answers.report)).toEqual({ 'save-accepted': 'the answer is larger than 8 MiB' })
  const files = await runStub(['serves-without-end'], { only: ['media-served'] })
  expect(failedIn(files.report)['media-served']).toMatch(/^no file from http:\S+: the answer is larger than 32 MiB$/)
})

test('first contact: the answer to the first callback, and a command to send it again', async () => {
  const sent: string[] = []
  const server = createServer((request, response) => {
    sent.push(`${request.headers['x-service-signature']?.toString().length} ${request.headers['content-type']}`)
    response.writeHead(301, { location: 'https://cms.example/login', 'content-type': 'text/html' })
    response.end('<title>CSRF verification failed</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/it's/callback`
  const backend = { callbackUrl, secret, apiKey, port: await aFreePort() }
  const { outcomes } = await runKit(backend, { auth, only: ['save-accepted'] })
  const [{ got, evidence = [] } = { got: '' }] = outcomes
  expect(got).toContain('HTTP 301 without JSON, text/html, Location https://cms.example/login, body "<title>CSRF')
  expect(evidence.slice(0, 4)).toEqual([
    'answer    HTTP 301',
    'answer    content-type: text/html',
    'answer    location: https://cms.example/login',
    'answer    <title>CSRF verification failed</title>',
  ])
  const text = evidence.join('\n')
  expect(text).not.toMatch(/stub-secret|[0-9a-f]{64}|webhook_auth|hook:word/)
  // The command works without changes, given the secret.
  const script = evidence.filter((line) => line.startsWith('repeat')).map((line) => line.slice(10))
  sent.length = 0
  await promisify(execFile)('sh', ['-c', script.join('\n')], {
    env: { ...process.env, SECRET: secret, AUTHORIZATION: basic },
  })
  expect(sent).toEqual(['64 application/json'])
})

test('a backend that learns of a material by opening it: the kit waits, and judges the one that was opened', async () => {
  const stub = await aStub([])
  onTestFinished(stub.close)
  const address = `http://127.0.0.1:${stub.port}/integration/session/open`
  const body = JSON.stringify({ api_key: apiKey, callback_url: stub.callbackUrl, material_id: 'opened-1' })
  const run = runKit(stub, { waitForOpen: true, only: ['save-accepted', 'open-state'] })
  await expect
    .poll(() =>
      fetch(address, { method: 'POST', body }).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  const { outcomes, stored } = await run
  expect(outcomes.map(({ result }) => result)).toEqual(['passed', 'passed'])
  expect(stored.map(({ what }) => what)).toEqual(['material opened-1'])
})

test('a material that is opened again has the same session', async () => {
  const service = await startArchiveServer('127.0.0.1', 0)
  onTestFinished(service.close)
  const openOnce = async (material: string): Promise<unknown> => {
    const body = JSON.stringify({ material_id: material })
    const answer = await fetch(`http://127.0.0.1:${service.port}/integration/session/open`, { method: 'POST', body })
    return answer.json()
  }
  const first = await openOnce('one')
  expect(await openOnce('one')).toEqual(first)
  expect(await openOnce('two')).not.toEqual(first)
})

const opening = (backend: { readonly port: number }, body: object): Promise<boolean> =>
  fetch(`http://127.0.0.1:${backend.port}/integration/session/open`, {
    method: 'POST',
    body: JSON.stringify(body),
  }).then(
    ({ ok }) => ok,
    () => false,
  )

/** A backend that accepts nothing, and records the callbacks. It acts before each answer. */
async function aRecorder(beforeAnswer: (count: number) => Promise<unknown> = () => Promise.resolve()) {
  const received: { readonly authorization: string | undefined; readonly metadata: Record<string, unknown> }[] = []
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { metadata } = (await json(request)) as (typeof received)[number]
    await beforeAnswer(received.push({ authorization: request.headers.authorization, metadata }))
    response.end('{"rc":0,"rm":"t1me-limited-token and hook-word are wrong"}')
  }
  const server = createServer((request, response) => {
    void answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return { backend: { callbackUrl, secret, apiKey, port: await aFreePort() }, received }
}

const sessionMetadata = {
  timeLimitedAuthToken: 't1me-limited-token',
  editor_user_id: 7,
  nested: { list: [null] },
  version_id: 'of-the-site',
  webhook_auth_user: 'hook',
  webhook_auth_password: 'hook-word',
}

test('callbacks carry the metadata of the opened session, and its credentials', async () => {
  const { backend, received } = await aRecorder()
  const only = ['save-accepted', 'metadata-not-echoed', 'fonts-accepted', 'material-unknown']
  const run = runKit(backend, { waitForOpen: true, only })
  const metadata = { ...sessionMetadata, user_email: 'ann@site.example' }
  await expect.poll(() => opening(backend, { material_id: 'opened-1', metadata })).toBe(true)
  const report = await run
  // The first one is the question whether there is a backend.
  const callbacks = received.slice(1)
  expect(callbacks.length).toBeGreaterThan(only.length)
  expect(new Set(callbacks.map(({ authorization }) => authorization))).toEqual(
    new Set([`Basic ${Buffer.from('hook:hook-word').toString('base64')}`]),
  )
  const { version_id: own, ...kept } = metadata
  for (const { metadata } of callbacks) {
    expect(metadata).toMatchObject(kept)
    expect(metadata['version_id']).not.toBe(own)
  }
  expect(failedIn(report)['metadata-not-echoed']).toBe('the answer repeats them')
  const told = reportText(report)
  expect(told).toContain('… and … are wrong')
  expect(told).not.toMatch(/t1me-limited-token|hook-word/)
  expect(told).toMatch(/-H "Authorization: \$AUTHORIZATION" --data-raw .*"version_id":"conformance-/)
})

test('--auth counts more than the credentials of a session', async () => {
  const { backend, received } = await aRecorder()
  const only = ['save-accepted']
  const run = runKit(backend, { auth: { user: 'tok3n', password: null }, waitForOpen: true, only })
  await expect.poll(() => opening(backend, { material_id: 'opened-1', metadata: sessionMetadata })).toBe(true)
  await run
  const [, saved] = received
  expect(saved?.authorization).toBe('Bearer tok3n')
  expect(saved?.metadata).toMatchObject({ editor_user_id: 7, webhook_auth_user: 'tok3n' })
  expect(saved?.metadata).not.toHaveProperty('webhook_auth_password')
})

test('a material that is opened during the run, and opened again', async () => {
  const opens = [{}, { metadata: { stage: 1, webhook_auth_user: 'one' } }, { metadata: { stage: 2 } }, {}]
  const { backend, received } = await aRecorder((count) =>
    opening(backend, { material_id: 'post-1', ...opens[count - 1] }),
  )
  await runKit(backend, { only: ['save-accepted', 'refusal-has-reason', 'unusable-is-rc-0', 'answer-status'] })
  expect(received.slice(1, 5).map(({ authorization, metadata }) => [authorization, metadata['stage']])).toEqual([
    [undefined, undefined],
    ['Bearer one', 1],
    [undefined, 2],
    [undefined, 2],
  ])
})

test('a token that no header can carry is a fault of the backend, and does not end the run', async () => {
  const { backend } = await aRecorder()
  const run = runKit(backend, { waitForOpen: true, only: ['save-accepted', 'open-credentials'] })
  const metadata = { webhook_auth_user: 'токен' }
  await expect.poll(() => opening(backend, { material_id: 'opened-1', metadata })).toBe(true)
  expect(failedIn(await run)).toMatchObject({ 'open-credentials': 'a token that no header can carry' })
})

test('and reports it if none was opened', async () => {
  const stub = await aStub([])
  onTestFinished(stub.close)
  const interrupted = AbortSignal.timeout(500)
  await expect(runKit(stub, { waitForOpen: true, signal: interrupted })).rejects.toThrow(
    /No session with a material_id/,
  )
})
