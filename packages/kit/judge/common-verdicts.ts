import type { Bench, Delivered } from '../drive/bench.ts'
import {
  isAccepted,
  saysAccepted,
  whyNotAccepted,
  whyNotRefusedWithReason,
  whyNotRefused,
  describeAnswer,
} from '../protocol/answer.ts'
import { explainedBy, whyNotAllServed, whyNotComplete, whyUrlsNotPublic } from './save-answer.ts'
import type { Finding, Verdict } from './verdict.ts'
import { verdict } from './verdict.ts'

/** Verdicts that most cases share. */

export const accepted = ({ answer }: Delivered): Verdict =>
  verdict('HTTP 2xx with rc 1', whyNotAccepted(answer), describeAnswer(answer))

/** Cases whose failure means that the backend accepts anything. */
export const acceptsAnything: readonly string[] = ['unreadable-refused', 'answer-own', 'download-404']

/** Why something was accepted, or null; `bases` are the cases whose failure would explain it. */
export const unexplainedAcceptance = (bench: Bench, answer: Delivered['answer'], bases = acceptsAnything): Finding =>
  unlessAccepting(bench, answer, whyNotRefused(answer), bases)

/** The problem with an acceptance, unless this backend accepts anything. */
export const unlessAccepting = (
  { run }: Bench,
  answer: Delivered['answer'],
  problem: string | null,
  bases = acceptsAnything,
): Finding => explainedBy(run, saysAccepted(answer) ? bases : [], problem)

/** The reason if a request to the foreign origin would not reach the kit; null if it would. */
export const unseenRequest = ({ run }: Bench): Finding =>
  run.foreignOrigin.isReachable
    ? null
    : { unchecked: 'the other host is on this machine, and a backend elsewhere cannot reach it: see --same-disk' }

/** Any answer except an acceptance: the contract does not define how a backend refuses. */
export const refused = (bench: Bench, { answer }: Delivered, bases = acceptsAnything): Verdict =>
  verdict('refused: any answer but rc 1', unexplainedAcceptance(bench, answer, bases), describeAnswer(answer))

/** Refused without requesting the archive. */
export const refusedWithoutDownload = (bench: Bench, delivered: Delivered): Verdict => {
  const { answer, offer } = delivered
  const asked =
    offer.downloads.length === 0 ? null : `${describeAnswer(answer)}, after ${offer.downloads.length} download(s)`
  return verdict(
    'refused, and nothing downloaded',
    unexplainedAcceptance(bench, answer) ?? asked,
    describeAnswer(answer),
  )
}

/** JSON with rc 0, a reason, and one of these statuses. */
export const refusedWithReason = (
  bench: Bench,
  { answer }: Delivered,
  statuses?: (status: number) => boolean,
  expected = 'rc 0 with a reason',
) =>
  verdict(expected, unlessAccepting(bench, answer, whyNotRefusedWithReason(answer, statuses)), describeAnswer(answer))

/** Judges the files first: a state that is never kept is reported once, but files are judged in every case. */
export async function whyNotWhole(bench: Bench, delivered: Delivered): Promise<Finding> {
  const files = whyUrlsNotPublic(delivered) ?? (await whyNotAllServed(bench, delivered))
  return typeof files === 'string' ? files : (whyNotComplete(bench, delivered) ?? files)
}

/** Passes if every file is saved under its own URL, or the save is refused. A partial save fails. */
export async function wholeOrRefused(bench: Bench, delivered: Delivered): Promise<Verdict> {
  const expected = 'rc 1 with every file public and the state kept, or a refusal'
  const { answer } = delivered
  if (!isAccepted(answer)) return verdict(expected, whyNotRefused(answer), describeAnswer(answer))
  const why = await whyNotWhole(bench, delivered)
  const alone =
    typeof why === 'string' ? unlessAccepting(bench, answer, why, ['unreadable-refused', 'answer-own']) : why
  return verdict(expected, alone, describeAnswer(answer))
}

/** Like `wholeOrRefused`, but a refusal fails. */
export async function saved(bench: Bench, delivered: Delivered): Promise<Verdict> {
  const why = await whyNotWhole(bench, delivered)
  return verdict('rc 1 with every file public and the state kept', why, describeAnswer(delivered.answer))
}

/** Passes for any answer except a server error. */
export const noFault = ({ answer }: Pick<Delivered, 'answer'>): Verdict =>
  verdict(
    'an answer, and no server error',
    answer.kind === 'answer' && answer.status < 500 ? null : describeAnswer(answer),
    describeAnswer(answer),
  )
