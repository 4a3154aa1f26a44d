import type { Case, Theme } from './case.ts'
import { themes } from './cases.ts'
import type { Bench, Run } from './drive/bench.ts'
import { createBench } from './drive/bench.ts'
import { whyUnreachable } from './drive/greeting.ts'
import type { Options } from './options.ts'
import { planOf } from './plan.ts'
import { discreet } from './report/discreet.ts'
import type { LeftOut, Outcome, Report } from './report/report.ts'
import { selectCases, withoutOpens } from './select.ts'

/** How often a case that takes its time is told of. */
const heartbeatMs = 5_000
/** How long a run that asks for opened sessions waits for one. */
const openTimeoutMs = 60_000
/** More lanes than this make no run faster, and a backend's life harder than the service would. */
const lanesMax = 4

/** Runs the selected cases, one at a time for each material. `stop` aborts what is under way. */
export async function runCases(options: Options, run: Run, stop: () => void): Promise<Report> {
  const { chosen, leftOut } = selectCases(themes, options)
  const plan = planOf(chosen, options.only === null)
  const keys = [options.secret, options.apiKey, options.auth?.password ?? options.auth?.user ?? '']
  const outcomes: Outcome[] = []
  const notRun: LeftOut[] = []
  const total = chosen.reduce((sum, theme) => sum + theme.cases.length, 0)
  let cutShort: string | null = null

  /** Runs one case; false when the whole run is at its end. */
  async function runCase(theme: Theme, each: Case, bench: Bench): Promise<boolean> {
    const started = performance.now()
    const ticking = setInterval(() => options.onWaiting(each, performance.now() - started), heartbeatMs)
    const verdict = await Promise.resolve(each.run(bench)).finally(() => clearInterval(ticking))
    // What an interruption cut off says nothing about the backend.
    if (run.signal.aborted) return false
    const got = discreet(verdict.got, keys)
    const outcome: Outcome = { ...verdict, got, theme: theme.title, case: each, ms: performance.now() - started }
    outcomes.push(outcome)
    options.onOutcome(outcome, outcomes.length + notRun.length, total)
    const gone = run.transcript.wentSilent() ? await whyUnreachable(options, run.signal) : null
    if (gone === null) return true
    cutShort ??= `The backend stopped answering during ${each.id}: ${gone}`
    stop()
    return false
  }

  /** Takes from the queue until it is empty. */
  async function lane(queue: Theme[], material: string): Promise<void> {
    const bench = createBench(run, material)
    const hasFailed = (id: string): boolean => outcomes.some((outcome) => outcome.case.id === id && !outcome.ok)
    for (let theme = queue.shift(); theme !== undefined; theme = queue.shift()) {
      for (const each of theme.cases) {
        const failed = plan.basisOf(theme, each).find(hasFailed)
        if (failed === undefined) {
          if (!(await runCase(theme, each, bench))) return
        } else notRun.push({ case: each, theme: theme.title, why: `says nothing as long as ${failed} fails` })
      }
    }
  }
  const inLanes = async (pieces: readonly Theme[]) => {
    const queue = [...pieces]
    await Promise.all(options.materials.slice(0, lanesMax).map((material) => lane(queue, material)))
  }

  await lane([...plan.first], options.materials[0] ?? '')
  await inLanes(plan.main)
  const looksAtOpens = plan.last.some(({ cases }) => cases.some(({ needs }) => needs === 'open'))
  // Who asks for such a case by name is there to open a session.
  if (options.only !== null && looksAtOpens) await run.service.firstOpen(openTimeoutMs, run.signal)
  const looking = run.service.opens.length > 0 ? { chosen: plan.last, leftOut: [] } : withoutOpens(plan.last)
  notRun.push(...looking.leftOut)
  await inLanes(looking.chosen)

  if (options.signal.aborted) cutShort ??= 'The run was interrupted.'
  if (cutShort !== null) notRun.push(...notReached(chosen, [...outcomes, ...notRun]))
  const order = chosen.flatMap((theme) => theme.cases)
  return {
    kind: 'report',
    outcomes: outcomes.toSorted((a, b) => order.indexOf(a.case) - order.indexOf(b.case)),
    leftOut: [...leftOut, ...notRun],
    stored: run.transcript.notes(),
    cutShort,
  }
}

/** The cases that a run which ended early never came to: a report that left them away would look like a whole one. */
const notReached = (chosen: readonly Theme[], done: readonly Pick<LeftOut, 'case'>[]): readonly LeftOut[] => {
  const reached = new Set(done.map((each) => each.case))
  return chosen.flatMap(({ title, cases }) =>
    cases.flatMap((each) => (reached.has(each) ? [] : [{ case: each, theme: title, why: 'the run ended before it' }])),
  )
}
