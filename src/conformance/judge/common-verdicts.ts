import type { Finding, Verdict } from './verdict.ts'
import { verdict } from './verdict.ts'
import type { Bench, Delivered } from '../drive/bench.ts'
import { isAccepted, whyNotAccepted, whyNotPlainlyRefused, whyNotRefused, words } from '../protocol/answer.ts'
import { sameAs, whyNotAllServed, whyNotComplete, whyUrlsNotPublic } from './save-answer.ts'

/** The verdicts most cases end with. */

export const accepted = ({ answer }: Delivered): Verdict => verdict('rc 1', whyNotAccepted(answer), words(answer))

/** Cases of which each explains why anything at all is accepted. */
const acceptsAnything = ['unreadable-refused', 'answer-own', 'download-404']

/** Why something was accepted, or null; `bases` are the cases whose failure would account for it. */
export const whyNotRefusedAlone = (bench: Bench, answer: Delivered['answer'], bases = acceptsAnything): Finding =>
  unlessAccepting(bench, answer, whyNotRefused(answer), bases)

/** The problem that an acceptance is, unless this backend accepts anything. */
export const unlessAccepting = (
  { run }: Bench,
  answer: Delivered['answer'],
  problem: string | null,
  bases = acceptsAnything,
): Finding => sameAs(run, isAccepted(answer) ? bases : [], problem)

/** Any answer but an acceptance: how a backend refuses is its own matter. */
export const refused = (bench: Bench, { answer }: Delivered, bases = acceptsAnything): Verdict =>
  verdict('refused: any answer but rc 1', whyNotRefusedAlone(bench, answer, bases), words(answer))

/** Refused, and the archive never asked for. */
export const refusedUnread = (bench: Bench, delivered: Delivered): Verdict => {
  const { answer, offer } = delivered
  const asked = offer.downloads.length === 0 ? null : `${words(answer)}, after ${offer.downloads.length} download(s)`
  return verdict('refused, and nothing downloaded', whyNotRefusedAlone(bench, answer) ?? asked, words(answer))
}

/** JSON with rc 0 and a reason, and a status among these. */
export const plainlyRefused = (
  bench: Bench,
  { answer }: Delivered,
  statuses?: (status: number) => boolean,
  expected = 'rc 0 with a reason',
) => verdict(expected, unlessAccepting(bench, answer, whyNotPlainlyRefused(answer, statuses)), words(answer))

/** Files first: where the state is not kept in any save, that is told once, and the files all the same. */
export async function whyNotWhole(bench: Bench, delivered: Delivered): Promise<Finding> {
  const files = whyUrlsNotPublic(delivered) ?? (await whyNotAllServed(bench, delivered))
  return typeof files === 'string' ? files : (whyNotComplete(bench, delivered) ?? files)
}

/** Saved with every file under its own URL, or refused; what must not be is half of it. */
export async function wholeOrRefused(bench: Bench, delivered: Delivered): Promise<Verdict> {
  const expected = 'rc 1 with every file public and the state kept, or a refusal'
  const { answer } = delivered
  if (!isAccepted(answer)) return verdict(expected, whyNotRefused(answer), words(answer))
  const why = await whyNotWhole(bench, delivered)
  const alone =
    typeof why === 'string' ? unlessAccepting(bench, answer, why, ['unreadable-refused', 'answer-own']) : why
  return verdict(expected, alone, words(answer))
}

/** The same without the way out of a refusal. */
export async function saved(bench: Bench, delivered: Delivered): Promise<Verdict> {
  const why = await whyNotWhole(bench, delivered)
  return verdict('rc 1 with every file public and the state kept', why, words(delivered.answer))
}

/** Any answer that is neither a fault of the server nor none at all. */
export const noFault = ({ answer }: Pick<Delivered, 'answer'>): Verdict =>
  verdict(
    'an answer, and no fault of the server',
    answer.kind === 'answer' && answer.status < 500 ? null : words(answer),
    words(answer),
  )
