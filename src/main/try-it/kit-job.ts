import type { NoRun, Options, Report } from '@galley/kit'
import type { JobHandlers } from '@galley/platform'

/** The backend that a run tests, and the cases. */
export interface KitInput extends Pick<
  Options,
  'apiKey' | 'secret' | 'materials' | 'signatureHeader' | 'auth' | 'only'
> {
  readonly callbackUrl: string
  readonly baseUrl: string
}

// oxlint-disable-next-line typescript/consistent-type-definitions
export type KitJobs = { conformance: { input: KitInput; output: Report | NoRun } }

/** Runs the conformance kit in a thread. A run that is cancelled ends with what it has found until then. */
export const kitJobs: JobHandlers<KitJobs> = {
  async conformance({ callbackUrl, baseUrl, ...input }, { signal, progress }) {
    const { portOf, runConformance } = await import('@galley/kit')
    const base = new URL(baseUrl)
    const report = await runConformance({
      ...input,
      callbackUrl: new URL(callbackUrl),
      baseUrl: base,
      port: portOf(base),
      skip: [],
      slow: false,
      waitForOpen: false,
      sameDisk: false,
      pageTemplate: null,
      signal,
      onWaiting: () => undefined,
      onOutcome: (_, done, total) => progress({ step: 'verifying', done, total, unit: 'cases' }),
    })
    // Without the functions of the cases, which no message carries.
    return JSON.parse(JSON.stringify(report)) as Report | NoRun
  },
}
