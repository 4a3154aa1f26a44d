import { picture } from '../archives/sample-files.ts'
import type { Delivered } from '../drive/bench.ts'
import { accepted, unlessAccepting, unexplainedAcceptance, wholeOrRefused } from '../judge/common-verdicts.ts'
import { difference } from '../judge/difference.ts'
import { whyNotAllServed } from '../judge/save-answer.ts'
import { verdict } from '../judge/verdict.ts'
import { dataOf, saysAccepted, whyNotAccepted, describeAnswer } from '../protocol/answer.ts'
import { recoveringFrom, status, whole } from '../service/download-handlers.ts'
import type { Theme } from '../suite/case.ts'
import { advice, contract, listener } from '../suite/case.ts'

const repeated = listener('the same delivery again: the same answer, no download, no second version')

/** The difference between two answers to one delivery, or null. */
function whyNotSame(first: Delivered, second: Delivered): string | null {
  const refused = whyNotAccepted(first.answer) ?? whyNotAccepted(second.answer)
  if (refused !== null) return refused
  const [a, b] = [dataOf(first.answer, 'vms_json'), dataOf(second.answer, 'vms_json')]
  return a && b ? difference(a, b, { by: 'value', mayDiffer: () => false }) : 'no data.vms_json'
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().replace('Z', '+00:00')

export const replayAndOrder: Theme = {
  title: 'Replays and order',
  dependsOn: 'save-accepted',
  cases: [
    {
      id: 'replay-same-answer',
      name: 'A repeated callback gets the same answer',
      rule: repeated,
      severity: 'unwise',
      dependsOn: 'answer-state',
      run: async (bench) => {
        const prepared = bench.prepareSave()
        const [first, second] = [await bench.deliver(prepared), await bench.deliver(prepared)]
        return verdict('rc 1 twice, with the same state', whyNotSame(first, second))
      },
    },
    {
      id: 'replay-no-download',
      dependsOn: 'download-once',
      name: 'A repeated callback is downloaded once',
      rule: repeated,
      severity: 'unwise',
      run: async (bench) => {
        const prepared = bench.prepareSave()
        const first = await bench.deliver(prepared)
        await bench.deliver(prepared)
        const count = prepared.offer.downloads.length
        return verdict('one download', whyNotAccepted(first.answer) ?? (count === 1 ? null : `${count} downloads`))
      },
    },
    {
      id: 'replay-old-after-new',
      dependsOn: 'replay-no-download',
      name: 'An old callback that is repeated does not restore its version',
      rule: advice('a signature never expires: anyone with one old callback could undo every later save'),
      severity: 'unwise',
      run: async (bench) => {
        const old = bench.prepareSave()
        const first = await bench.deliver(old)
        await bench.save()
        await bench.deliver(old)
        const count = old.offer.downloads.length
        return verdict(
          'no second download of the old version',
          whyNotAccepted(first.answer) ?? (count === 1 ? null : 'downloaded and saved again'),
        )
      },
    },
    {
      id: 'replay-other-query',
      dependsOn: ['replay-no-download', 'download-query-kept'],
      name: 'A content_url that differs in its query alone is another delivery',
      rule: listener('the same delivery again: the same event, material and content_url'),
      severity: 'unwise',
      run: async (bench) => {
        const first = bench.prepareSave({ address: (url) => `${url}?part=1` })
        await bench.deliver(first)
        const { answer } = await bench.save({ address: () => first.contentUrl.replace('part=1', 'part=2') })
        const wasDownloaded = first.offer.downloads.some(({ query }) => query.startsWith('part=2'))
        const why = saysAccepted(answer) && !wasDownloaded ? 'accepted without a download' : null
        return verdict('a download of the second address, or a refusal', why, describeAnswer(answer))
      },
    },
    {
      id: 'replay-keeps-media',
      name: 'After a replay the URLs of the save still serve its bytes',
      rule: contract('Editor state', 'clientUrl: the public URL of the file'),
      severity: 'breaks the contract',
      dependsOn: 'media-served',
      run: async (bench) => {
        const prepared = bench.prepareSave()
        const first = await bench.deliver(prepared)
        await bench.deliver(prepared)
        return verdict('the bytes of the file', await whyNotAllServed(bench, first))
      },
    },
    {
      id: 'refused-then-mended',
      name: 'A failed callback is processed again when it is repeated',
      rule: listener('only a stored answer is replayed; any other outcome is run afresh'),
      severity: 'unwise',
      run: async (bench) => {
        const prepared = bench.prepareSave({ handler: recoveringFrom(1, status(404)) })
        const first = await bench.deliver(prepared)
        const second = await bench.deliver(prepared)
        const early = saysAccepted(first.answer) ? 'the first delivery was accepted without an archive' : null
        const why = unlessAccepting(bench, first.answer, early) ?? whyNotAccepted(second.answer)
        return verdict('rc 1 the second time', why)
      },
    },
    {
      id: 'late-older-version',
      name: 'An older version that arrives late is kept or refused, without a server error',
      rule: listener('an older save arriving late is kept, rc 1, never current'),
      severity: 'unwise',
      dependsOn: 'media-served',
      run: async (bench) => {
        await bench.save()
        return wholeOrRefused(bench, await bench.save({ versionCdate: daysAgo(10) }))
      },
    },
    {
      id: 'late-older-keeps-newer',
      name: 'An older version that arrives late does not replace the files of the newer one',
      rule: advice('the contract shows no order of deliveries'),
      severity: 'unwise',
      dependsOn: 'media-changed',
      run: async (bench) => {
        const newer = await bench.save({ files: { 'hero.png': picture(bench.run.fresh()) } })
        await bench.save({ files: { 'hero.png': picture(bench.run.fresh()) }, versionCdate: daysAgo(10) })
        return verdict('the bytes of the newer save', await whyNotAllServed(bench, newer))
      },
    },
    {
      id: 'version-other-bytes',
      name: 'Other content under a stored version_id does not replace it',
      rule: listener('a stored version_id arrives with other bytes: rc 0, version_conflict'),
      severity: 'unwise',
      run: async (bench) => {
        const versionId = `conformance-${bench.run.fresh()}`
        const first = await bench.save({ versionId })
        const second = await bench.save({ versionId })
        const why = whyNotAccepted(first.answer) ?? unexplainedAcceptance(bench, second.answer)
        return verdict('the first accepted, the second refused', why, describeAnswer(second.answer))
      },
    },
    {
      id: 'caller-hangs-up',
      name: 'A callback whose sender hung up is answered when it is repeated',
      rule: listener('if the caller hangs up, the job still finishes'),
      severity: 'unwise',
      run: async (bench) => {
        const sender = new AbortController()
        const prepared = bench.prepareSave({
          handler: (...download) => {
            sender.abort()
            return whole(...download)
          },
        })
        await bench.deliver(prepared, { signal: sender.signal })
        return accepted(await bench.deliver(prepared))
      },
    },
  ],
}
