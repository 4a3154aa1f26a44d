import { picture } from '../archives/sample-files.ts'
import { accepted, saved, unexplainedAcceptance } from '../judge/common-verdicts.ts'
import { verdict } from '../judge/verdict.ts'
import { describeAnswer } from '../protocol/answer.ts'
import type { DownloadHandler } from '../service/download-handlers.ts'
import { announced, drip, flood, silence, slowly } from '../service/download-handlers.ts'
import type { Case, Theme } from '../suite/case.ts'
import { contract } from '../suite/case.ts'

const clientLimits = 'client settings: maximum content size 200 MiB, download timeout 120 s'
const megabyte = 1024 * 1024

/** Longer than the download timeout of client libraries, with a margin for slow machines. */
const patienceMs = 150_000

/** A download that never ends, which the backend has to abort. */
const endless = (id: string, name: string, handler: DownloadHandler): Case => ({
  id,
  name,
  rule: contract('Limits', clientLimits),
  severity: 'unwise',
  needs: 'slow',
  run: async (bench) => {
    const { answer } = await bench.save({ handler }, { timeoutMs: patienceMs })
    return verdict(
      `refused within ${patienceMs / 1000} s`,
      unexplainedAcceptance(bench, answer),
      describeAnswer(answer),
    )
  },
})

export const limits: Theme = {
  title: 'Limits',
  dependsOn: 'save-accepted',
  cases: [
    {
      id: 'limit-announced',
      name: 'An archive that declares ten gigabytes is refused at once',
      rule: contract('Limits', clientLimits),
      severity: 'unwise',
      run: async (bench) => {
        const { answer } = await bench.save({ handler: announced(10 * 1024 * megabyte, 8_000) })
        const late = answer.ms > 7_000 ? 'it waited for the bytes' : null
        return verdict(
          'refused before any byte arrives',
          unexplainedAcceptance(bench, answer) ?? late,
          describeAnswer(answer),
        )
      },
    },
    {
      id: 'download-slow',
      name: 'The backend waits for a download that takes two seconds',
      rule: contract('Site callback endpoint', 'Download the ZIP from content_url'),
      severity: 'breaks the contract',
      run: async (bench) => accepted(await bench.save({ handler: slowly(1_200) })),
    },
    {
      id: 'limit-many-files',
      name: 'Three hundred files are stored',
      rule: contract('Site callback endpoint', 'stores each vms_media/* file'),
      severity: 'unwise',
      dependsOn: 'media-served',
      run: async (bench) => {
        const word = bench.run.fresh()
        const files = Array.from({ length: 300 }, (_, at) => [`file-${at}.png`, picture(`${word} ${at}`)] as const)
        return saved(bench, await bench.save({ files: Object.fromEntries(files) }))
      },
    },
    {
      id: 'limit-flood',
      name: 'An archive that exceeds 200 MB without declaring it is refused, and not read to its end',
      rule: contract('Limits', clientLimits),
      severity: 'unwise',
      needs: 'slow',
      run: async (bench) => {
        let sentBytes = 0
        const handler = flood(400 * megabyte, (bytes) => (sentBytes = Math.max(sentBytes, bytes)))
        const { answer } = await bench.save({ handler }, { timeoutMs: patienceMs })
        const whole = sentBytes >= 400 * megabyte ? 'all 400 MB were read' : null
        return verdict('refused at the limit', unexplainedAcceptance(bench, answer) ?? whole, describeAnswer(answer))
      },
    },
    endless('limit-silence', 'The backend gives up on a download that never starts', silence(patienceMs)),
    endless('limit-drip', 'The backend gives up on a download of one byte a second', drip(patienceMs)),
  ],
}
