import type { Verdict } from '../case.ts'
import { verdict } from '../case.ts'
import type { Bench, Delivered } from '../drive/bench.ts'
import { isAccepted, whyNotAccepted, whyNotPlainlyRefused, whyNotRefused, words } from './answers.ts'
import { whyNotAllServed, whyNotComplete } from './save-answer.ts'

/** The verdicts most cases end with. */

export const accepted = ({ answer }: Delivered): Verdict => verdict('rc 1', whyNotAccepted(answer), words(answer))

/** Any answer but an acceptance: how a backend refuses is its own matter. */
export const refused = ({ answer }: Delivered): Verdict =>
  verdict('refused: any answer but rc 1', whyNotRefused(answer), words(answer))

/** Refused, and the archive never asked for. */
export const refusedUnread = (delivered: Delivered): Verdict => {
  const { answer, offer } = delivered
  const asked = offer.downloads.length === 0 ? null : `${words(answer)}, after ${offer.downloads.length} download(s)`
  return verdict('refused, and nothing downloaded', whyNotRefused(answer) ?? asked, words(answer))
}

/** JSON with rc 0 and a reason, and a status among these. */
export const plainlyRefused = (
  { answer }: Delivered,
  statuses?: (status: number) => boolean,
  expected = 'rc 0 with a reason',
) => verdict(expected, whyNotPlainlyRefused(answer, statuses), words(answer))

/** Saved with every file under its own URL, or refused; what must not be is half of it. */
export async function wholeOrRefused(bench: Bench, delivered: Delivered): Promise<Verdict> {
  const expected = 'rc 1 with every file public and the state kept, or a refusal'
  const { answer } = delivered
  if (!isAccepted(answer)) return verdict(expected, whyNotRefused(answer), words(answer))
  const why = whyNotComplete(delivered) ?? (await whyNotAllServed(bench, delivered))
  return verdict(expected, why, words(answer))
}

/** The same without the way out of a refusal. */
export async function saved(bench: Bench, delivered: Delivered): Promise<Verdict> {
  const why = whyNotComplete(delivered) ?? (await whyNotAllServed(bench, delivered))
  return verdict('rc 1 with every file public and the state kept', why, words(delivered.answer))
}

/** Any answer that is neither a fault of the server nor none at all. */
export const noFault = ({ answer }: Pick<Delivered, 'answer'>): Verdict =>
  verdict(
    'an answer, and no fault of the server',
    answer.kind === 'answer' && answer.status < 500 ? null : words(answer),
    words(answer),
  )
