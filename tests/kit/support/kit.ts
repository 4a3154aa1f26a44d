import { runConformance } from '../../../packages/kit/conformance.ts'
import type { Options } from '../../../packages/kit/options.ts'
import type { Outcome, Report } from '../../../packages/kit/report/report.ts'

/** Runs the kit against a backend of this machine; throws when there was nothing to judge. */
export async function runKit(
  backend: { readonly callbackUrl: string; readonly secret: string; readonly apiKey: string; readonly port: number },
  options: Partial<Options> = {},
): Promise<Report> {
  const report = await runConformance({
    callbackUrl: new URL(backend.callbackUrl),
    apiKey: backend.apiKey,
    secret: backend.secret,
    baseUrl: new URL(`http://127.0.0.1:${backend.port}/integration`),
    port: backend.port,
    materials: ['post-1'],
    signatureHeader: 'X-Service-Signature',
    auth: null,
    only: null,
    skip: [],
    slow: false,
    pageTemplate: null,
    waitForOpen: false,
    sameDisk: true,
    signal: new AbortController().signal,
    onOutcome: () => undefined,
    onWaiting: () => undefined,
    ...options,
  })
  if (report.kind !== 'report') throw new Error(report.message)
  return report
}

/** The failed cases with their results, readable in the output of an assertion. */
export const failedIn = ({ outcomes }: { readonly outcomes: readonly Outcome[] }): Record<string, string> =>
  Object.fromEntries(outcomes.filter(({ result }) => result === 'failed').map((each) => [each.case.id, each.got]))

/** The cases with this result, each with its reason. */
export const idsOf = (
  { outcomes }: { readonly outcomes: readonly Outcome[] },
  result: Outcome['result'],
): Record<string, string | null> =>
  Object.fromEntries(outcomes.filter((each) => each.result === result).map((each) => [each.case.id, each.reason]))
