import { unexplainedAcceptance, unseenRequest } from '../../judge/common-verdicts.ts'
import { whyNotComplete } from '../../judge/save-answer.ts'
import { verdict } from '../../judge/verdict.ts'
import { whyNotAccepted, describeAnswer } from '../../protocol/answer.ts'
import type { Case } from '../../suite/case.ts'
import { contract, listener } from '../../suite/case.ts'
import { fontsRedirected } from '../download/address.ts'

/** Font sets that are sent twice, from a foreign host, or during a save. */
export const delivered: readonly Case[] = [
  {
    id: 'fonts-replay',
    dependsOn: ['fonts-download', 'replay-no-download'],
    name: 'A repeated fonts callback is downloaded once',
    rule: listener('the same delivery again: the same answer, no download'),
    severity: 'unwise',
    run: async (bench) => {
      const prepared = bench.prepareFonts()
      const [first, second] = [await bench.deliver(prepared), await bench.deliver(prepared)]
      const count = prepared.offer.downloads.length
      const why = whyNotAccepted(first.answer) ?? whyNotAccepted(second.answer)
      return verdict('rc 1 twice after one download', why ?? (count === 1 ? null : `${count} downloads`))
    },
  },
  {
    id: 'fonts-elsewhere',
    dependsOn: 'content-url-elsewhere',
    name: 'Fonts are not fetched from another host',
    rule: contract('site_fonts_updated callback payload', 'content_url: fonts ZIP address'),
    severity: 'unsafe',
    run: async (bench) => {
      const { server, origin } = bench.run.foreignOrigin
      const trap = server.offer('fonts', bench.run.fresh(), Buffer.from('not reached'))
      const { answer } = await bench.fonts({ address: () => origin + trap.path })
      const why =
        trap.downloads.length > 0
          ? `fetched; ${describeAnswer(answer)}`
          : (unexplainedAcceptance(bench, answer) ?? unseenRequest(bench))
      return verdict('refused, and nothing fetched', why, describeAnswer(answer))
    },
  },
  fontsRedirected,
  {
    id: 'fonts-beside-save',
    name: 'A font set and a save at the same time do not disturb each other',
    rule: contract('Events 2', 'the handler is chosen by the event field'),
    severity: 'breaks the contract',
    dependsOn: ['fonts-accepted', 'client-urls-public'],
    run: async (bench) => {
      const [save, set] = await Promise.all([bench.save(), bench.fonts()])
      return verdict('both accepted', whyNotComplete(bench, save) ?? whyNotAccepted(set.answer))
    },
  },
]
