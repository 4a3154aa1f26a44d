import type { Bench, Delivered } from '../../drive/bench.ts'
import { accepted, unlessAccepting } from '../../judge/common-verdicts.ts'
import { evidenceOf } from '../../judge/evidence.ts'
import { assetNamesIn } from '../../judge/save-answer.ts'
import { whyNoProof } from '../../judge/secrets.ts'
import { verdict } from '../../judge/verdict.ts'
import { dataOf, isAccepted, rcOf, rmOf, whyNotAccepted, whyNotRefused, describeAnswer } from '../../protocol/answer.ts'
import { secretsOf } from '../../protocol/credentials.ts'
import type { Case } from '../../suite/case.ts'
import { advice, contract } from '../../suite/case.ts'
import { otherMaterial, plainSave } from './expecting.ts'

const answerTable = (words: string): string => contract('Callback answer', words)

/** Texts in the metadata that must not appear in an answer. */
const canary = 'conformance-canary-token'

/** Whether an answer has assets of these other saves, or none of its own. */
function hasAssetsOf({ answer, files }: Delivered, others: readonly Delivered[]): boolean {
  const names = assetNamesIn(answer)
  const isStray = (name: string): boolean => others.some((other) => other.files.has(name))
  return names.some(isStray) || (names.length > 0 && !names.some((name) => files.has(name)))
}

/** The structure of an answer: rc, rm, the state, and the text of a refusal. */
export const forms: readonly Case[] = [
  {
    id: 'save-accepted',
    name: 'A valid save is accepted',
    rule: answerTable('rc 1 = accepted and saved'),
    severity: 'breaks the contract',
    run: async (bench) => {
      const delivered = await bench.save()
      const found = accepted(delivered)
      return found.result === 'passed' ? found : { ...found, evidence: evidenceOf(bench, delivered) }
    },
  },
  {
    id: 'unreadable-refused',
    name: 'An unsigned request that is not a callback is not answered with rc 1',
    rule: answerTable('rc 1 = accepted and saved; there is nothing to save'),
    severity: 'breaks the contract',
    runsFirst: true,
    run: async (bench) => {
      const { answer } = await bench.save({}, { body: '{"event":', signature: null, authorization: null })
      return verdict('refused: any answer but rc 1', whyNotRefused(answer), describeAnswer(answer))
    },
  },
  {
    id: 'answer-own',
    name: 'Each save is answered with its own state',
    rule: contract('Site callback endpoint', 'returns the updated vms_json of this save'),
    severity: 'breaks the contract',
    dependsOn: 'answer-state',
    runsFirst: true,
    run: async (bench) => {
      const [first, second] = [await bench.save(), await bench.save()]
      const elsewhere = await bench.save({ material: otherMaterial(bench).id })
      const why = whyNotAccepted(first.answer) ?? whyNotAccepted(second.answer)
      const strange = hasAssetsOf(second, [first])
        ? 'the assets of another save'
        : isAccepted(elsewhere.answer) && hasAssetsOf(elsewhere, [first, second])
          ? 'the assets of another material'
          : null
      return verdict('the assets of this save', why ?? strange)
    },
  },
  plainSave(
    'answer-status',
    'An accepted save is answered with a success status',
    contract('Events', 'each as an HTTP POST: 2xx is the only answer of HTTP to one that was handled'),
    accepted,
  ),
  plainSave('answer-rc', 'rc is the integer 1', answerTable('rc: integer'), ({ answer }) =>
    verdict('rc 1, a JSON integer', rcOf(answer) === '1' ? null : describeAnswer(answer)),
  ),
  plainSave('answer-rm', 'rm is a text', answerTable('rm: string'), ({ answer }) =>
    verdict('rm, a JSON string', rmOf(answer) === undefined ? describeAnswer(answer) : null),
  ),
  plainSave(
    'answer-state',
    'data.vms_json is the updated state, an object',
    answerTable('data.vms_json: object'),
    ({ answer }) => {
      const state = dataOf(answer, 'vms_json')
      const kind = state === undefined ? 'no data.vms_json' : `data.vms_json is a ${state.kind}`
      return verdict(
        'data.vms_json, a JSON object',
        state?.kind === 'object' ? null : `${describeAnswer(answer)}: ${kind}`,
      )
    },
  ),
  plainSave(
    'answer-type',
    'The answer says that it is JSON',
    advice('the service should not have to guess'),
    ({ answer }) => {
      const type = answer.kind === 'answer' ? String(answer.headers['content-type'] ?? 'none') : describeAnswer(answer)
      return verdict(
        'content-type application/json',
        /^application\/([\w.-]+\+)?json\b/i.test(type) ? null : type.slice(0, 80),
      )
    },
    { severity: 'unwise' },
  ),
  {
    id: 'refusal-has-reason',
    name: 'A refused save has a reason',
    rule: answerTable('rm: on rejection it carries the reason'),
    severity: 'breaks the contract',
    run: async (bench) => {
      const { answer } = await bench.save({ archive: () => Buffer.from('this is no archive') })
      // Bare HTTP errors are judged by `unusable-is-rc-0`, acceptances by `archive-not-zip`.
      const isElsewhere = rcOf(answer) !== '0'
      const other = { unchecked: `an invalid archive did not get rc 0: ${describeAnswer(answer)}`, isOptional: true }
      const why = isElsewhere ? other : rmOf(answer)?.trim() ? null : 'rc 0 without a reason'
      return verdict('rc 0 with a reason in rm', why, describeAnswer(answer))
    },
  },
  {
    id: 'unusable-is-rc-0',
    name: 'An archive that cannot be used is refused with rc 0, not with a server error',
    rule: contract('Errors 1', 'The site reports the outcome through rc: 0 rejection with the reason in rm'),
    severity: 'unwise',
    run: async (bench) => {
      const { answer } = await bench.save({ archive: () => Buffer.from('this is no archive') })
      const why = rcOf(answer) === '0' ? null : describeAnswer(answer)
      return verdict('rc 0', unlessAccepting(bench, answer, why), describeAnswer(answer))
    },
  },
  {
    id: 'metadata-not-echoed',
    name: 'Credentials in the metadata are not in the answer',
    rule: contract('metadata', 'webhook_auth_* and tokens are for the callback handler'),
    severity: 'unsafe',
    run: async (bench: Bench) => {
      const plain = bench.prepareSave({ payload: { debug: true } })
      const metadata: Readonly<Record<string, unknown>> = {
        timeLimitedAuthToken: canary,
        webhook_auth_password: canary,
        conformance_token: canary,
        ...(plain.payload['metadata'] as object),
      }
      // The session's own values take the place of those above.
      const texts = [canary, ...secretsOf(metadata).filter((text) => whyNoProof(bench.run, text) === null)]
      const good = await bench.deliver({ ...plain, payload: { ...plain.payload, metadata } })
      const bad = await bench.save({ payload: { metadata, debug: true }, archive: () => Buffer.from('no archive') })
      const leak = [good, bad].find(
        ({ answer }) => answer.kind === 'answer' && texts.some((text) => answer.text.includes(text)),
      )
      return verdict('answers without them', leak ? 'the answer repeats them' : null)
    },
  },
]
