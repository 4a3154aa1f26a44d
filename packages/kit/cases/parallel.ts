import { connect } from 'node:net'

import type { Bench, Delivered } from '../drive/bench.ts'
import { whyNotWhole } from '../judge/common-verdicts.ts'
import type { Finding } from '../judge/verdict.ts'
import { verdict } from '../judge/verdict.ts'
import { isAccepted, whyNotAccepted, whyNotRefused, describeAnswer } from '../protocol/answer.ts'
import type { Theme } from '../suite/case.ts'
import { advice, contract } from '../suite/case.ts'

/**
 * A backend may refuse some of several parallel callbacks. Accepted ones must be complete, and at least one must
 * succeed.
 */
async function whyMixedUp(bench: Bench, delivered: readonly Delivered[]): Promise<Finding> {
  const done = delivered.filter(({ answer }) => isAccepted(answer))
  const [first] = delivered
  if (done.length === 0) return first ? `none accepted; ${describeAnswer(first.answer)}` : null
  for (const each of delivered) {
    const why = isAccepted(each.answer) ? await whyNotWhole(bench, each) : whyNotRefused(each.answer)
    if (why !== null) return why
  }
  return null
}

/** A save takes far less. */
const idlePatienceMs = 10_000

export const parallel: Theme = {
  title: 'At the same time',
  dependsOn: 'media-served',
  cases: [
    {
      id: 'parallel-saves',
      name: 'Saves of one material at the same time are not mixed up',
      rule: contract('Site callback endpoint', 'returns the updated vms_json of this save'),
      severity: 'breaks the contract',
      run: async (bench) => {
        const saves = Array.from({ length: 6 }, () => bench.save())
        return verdict('each answered with its own state and files', await whyMixedUp(bench, await Promise.all(saves)))
      },
    },
    {
      id: 'parallel-twins',
      dependsOn: ['media-served', 'replay-no-download'],
      name: 'The same callback twice at the same time is saved once',
      rule: advice('a retry may overtake the first try'),
      severity: 'unwise',
      run: async (bench) => {
        const prepared = bench.prepareSave()
        const both = await Promise.all([bench.deliver(prepared), bench.deliver(prepared)])
        const why = await whyMixedUp(bench, both)
        const count = prepared.offer.downloads.length
        return verdict('one download, the same answers', why ?? (count === 1 ? null : `${count} downloads`))
      },
    },
    {
      id: 'idle-connection',
      dependsOn: 'save-accepted',
      name: 'A connection that sends nothing does not keep other callbacks waiting',
      rule: advice('browsers and the service keep connections open, and a server with one thread would block'),
      severity: 'unwise',
      run: async (bench) => {
        const { protocol, hostname, port } = bench.run.callbackUrl
        const idle = connect(Number(port) || (protocol === 'https:' ? 443 : 80), hostname.replace(/^\[|\]$/g, ''))
        // A server may refuse or end it: that is no problem.
        idle.on('error', () => undefined)
        await new Promise((resolve) => idle.once('connect', resolve).once('close', resolve))
        const { answer } = await bench.save({}, { timeoutMs: idlePatienceMs })
        idle.destroy()
        const why =
          answer.kind === 'silent' ? `${answer.why} while another connection was open` : whyNotAccepted(answer)
        return verdict('rc 1', why)
      },
    },
  ],
}
