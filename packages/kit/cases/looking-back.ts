import type { Bench } from '../drive/bench.ts'
import { accepted } from '../judge/common-verdicts.ts'
import { whyNoneOf } from '../judge/save-answer.ts'
import { whyNoProof } from '../judge/secrets.ts'
import type { Finding } from '../judge/verdict.ts'
import { verdict } from '../judge/verdict.ts'
import { authorizationHeader, credentialsOf, isHeaderValue } from '../protocol/credentials.ts'
import type { Json } from '../protocol/exact-json.ts'
import { member, readExactly, stringIn } from '../protocol/exact-json.ts'
import type { SessionOpen } from '../service/archive-server.ts'
import type { Case, Theme } from '../suite/case.ts'
import { advice, contract } from '../suite/case.ts'

const openRule = (words: string): string => contract('POST /integration/session/open', words)

/** A case about the sessions that the backend opened during the run. */
const opened = (
  id: string,
  name: string,
  rule: string,
  expected: string,
  why: (open: SessionOpen, bench: Bench) => Finding,
): Case => ({
  id,
  name,
  rule,
  severity: 'breaks the contract',
  needs: 'open',
  run: (bench) => {
    const found = bench.run.service.opens.map((open) => why(open, bench))
    const worst = found.find((each) => typeof each === 'string')
    // One session is enough to show it; the others cannot disprove it.
    return verdict(expected, worst ?? (found.includes(null) ? null : (found[0] ?? null)))
  },
})

const memberOf = ({ body }: SessionOpen, name: string): Json | undefined => {
  const json = readExactly(body)
  return json === null ? undefined : member(json, name)
}

const field = (open: SessionOpen, name: string): string | undefined => stringIn(memberOf(open, name))

/** The header the service would send for the credentials in the metadata, or null. */
function credentialsIn(open: SessionOpen): string | null {
  const metadata = memberOf(open, 'metadata')
  const [user, password] = ['webhook_auth_user', 'webhook_auth_password'].map((key) => stringIn(member(metadata, key)))
  const used = credentialsOf(user, password)
  return used && authorizationHeader(used)
}

/** Checks that no answer of the run contains this text. */
const neverAnswered = (
  id: string,
  name: string,
  rule: string,
  severity: Case['severity'],
  text: (bench: Bench) => string,
): Case => ({
  id,
  name,
  rule,
  severity,
  run: (bench) => {
    const wanted = text(bench)
    const count = bench.run.transcript.answersWith(wanted)
    return verdict(
      'in no answer of the run',
      whyNoProof(bench.run, wanted) ?? (count === 0 ? null : `in ${count} answer(s)`),
    )
  },
})

export const lookingBack: Theme = {
  title: 'The run as a whole',
  runs: 'end',
  cases: [
    neverAnswered(
      'secret-never-answered',
      'No answer contains the api_secret',
      contract('Terms', 'api_secret is never sent over the wire'),
      'breaks the contract',
      ({ run }) => run.secret,
    ),
    neverAnswered(
      'key-never-answered',
      'No answer contains the api_key',
      advice('responses end up in logs'),
      'unwise',
      ({ run }) => run.apiKey,
    ),
    {
      id: 'secret-never-downloaded',
      name: 'No download request contains the api_secret',
      rule: contract('Terms', 'api_secret is never sent over the wire'),
      severity: 'breaks the contract',
      run: ({ run }) => {
        const requests = run.service.requests().map(({ query, headers }) => `${query} ${JSON.stringify(headers)}`)
        const count = requests.filter((request) => request.includes(run.secret)).length
        const none = requests.length === 0 ? { unchecked: 'the backend downloaded nothing', isOptional: true } : null
        const why = none ?? whyNoProof(run, run.secret)
        return verdict('in no request', why ?? (count === 0 ? null : `in ${count} request(s)`))
      },
    },
    {
      id: 'still-there',
      name: 'A valid save is still accepted after all other cases',
      rule: contract('Callback answer', 'rc 1 = accepted and saved'),
      severity: 'breaks the contract',
      dependsOn: 'save-accepted',
      run: async (bench) => accepted(await bench.save()),
    },
    opened(
      'open-signature',
      'session/open is signed over material_id:callback_url',
      openRule('X-Service-Signature over material_id:callback_url'),
      'that signature',
      (open, bench) => {
        const right = bench.sign(field(open, 'material_id') ?? '', field(open, 'callback_url') ?? '')
        return open.headers[bench.run.signatureHeader.toLowerCase()] === right ? null : 'no signature, or another one'
      },
    ),
    opened(
      'open-members',
      'session/open contains api_key, callback_url and material_id',
      contract('Session-open request body', 'api_key, callback_url, material_id: required'),
      'three texts',
      (open, { run }) => {
        if (field(open, 'api_key') !== run.apiKey) return 'no api_key, or another one'
        if (!URL.canParse(field(open, 'callback_url') ?? '')) return 'no callback_url that is an absolute URL'
        return field(open, 'material_id') ? null : 'no material_id'
      },
    ),
    opened(
      'open-state',
      'session/open sends vms_json as an object, or not at all',
      contract('Session-open request body', 'vms_json: object; omit it for a first opening'),
      'an object, or none',
      (open) => {
        const state = memberOf(open, 'vms_json')
        return state === undefined || state.kind === 'object' ? null : `vms_json is a ${state.kind}`
      },
    ),
    opened(
      'open-last-state',
      'session/open sends the last state of a material that was saved before',
      contract('Session-open request body', 'vms_json: pass the last saved state when the material was saved before'),
      'a state that the backend returned for the material, if a save of it was accepted before',
      (open, { run }) => {
        if (!run.transcript.hadSaved(field(open, 'material_id') ?? '', open.atMs))
          return { unchecked: 'no material was opened that had been saved in this run', isOptional: true }
        const state = memberOf(open, 'vms_json')
        if (state?.kind !== 'object' || state.members.length === 0) return 'none, or an empty one, after a save'
        return whyNoneOf(run.transcript.statesOf(field(open, 'material_id') ?? ''), state)
      },
    ),
    opened(
      'open-metadata',
      'session/open sends metadata as an object, or not at all',
      contract('Session-open request body', 'metadata: object'),
      'an object, or none',
      (open) => {
        const metadata = memberOf(open, 'metadata')
        return metadata === undefined || metadata.kind === 'object' ? null : `metadata is a ${metadata.kind}`
      },
    ),
    opened(
      'open-credentials',
      'session/open sends the credentials that the callback URL requires',
      contract('Authentication 5', 'When the callback URL is protected, the site puts service keys into metadata'),
      'webhook_auth_* values in metadata that match --auth',
      (open, { run: { auth } }) => {
        const sent = credentialsIn(open)
        if (sent !== null && !isHeaderValue(sent)) return 'a token that no header can carry'
        if (auth === null) return { unchecked: 'needs --auth', isOptional: true }
        return sent === authorizationHeader(auth) ? null : 'none, or others'
      },
    ),
    opened(
      'open-without-secret',
      'No session/open contains the api_secret',
      contract('Terms', 'api_secret is never sent over the wire'),
      'in no request',
      ({ body, headers }, { run }) =>
        whyNoProof(run, run.secret) ??
        (`${body}${JSON.stringify(headers)}`.includes(run.secret) ? 'in a request' : null),
    ),
  ],
}
