import { themes } from './cases.ts'
import type { Run } from './drive/bench.ts'
import { createBench } from './drive/bench.ts'
import { whyUnreachable } from './drive/reachability.ts'
import { skipped } from './judge/verdict.ts'
import type { Options } from './options.ts'
import { planOf } from './plan.ts'
import { secretsOf } from './protocol/credentials.ts'
import type { Outcome, Report } from './report/report.ts'
import type { Case, CaseFacts, Theme } from './suite/case.ts'

/** How often progress is reported while a case runs. */
const heartbeatMs = 5_000
/** How long a run waits for a session to be opened. */
export const openTimeoutMs = 60_000
/** More lanes do not speed up a run, and would load the backend more than the service does. */
const lanesMax = 4
/** A line of evidence may contain a whole request. */
const evidenceMaxChars = 2_000

/** Longer texts of a backend are truncated after redaction. */
const shownMaxChars = 300

/** A text without the keys and signatures that a backend may quote. */
function redact(text: string, keys: readonly string[], limit = shownMaxChars): string {
  const clean = keys
    // Shorter keys may be ordinary words.
    .filter(({ length }) => length > 3)
    .reduce((sofar, key) => sofar.replaceAll(key, '…'), text)
    .replace(/[0-9a-f]{64}/gi, '…')
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1).toWellFormed()}…`
}

interface Selection {
  /** Themes with the cases that will run; themes without cases are dropped. */
  readonly chosen: readonly Theme[]
  /** Cases excluded by the options, each `unchecked` with a reason. */
  readonly leftOut: readonly Outcome[]
}

/** The options that select cases. */
interface SelectionOptions {
  readonly auth: unknown
  readonly pageTemplate: string | null
  readonly slow: boolean
  readonly only: readonly string[] | null
  readonly skip: readonly string[]
}

/** Selects the cases that the options allow, or those given by name, including slow ones. */
function selectCases(themes: readonly Theme[], { auth, pageTemplate, slow, only, skip }: SelectionOptions): Selection {
  const named = themes.map((theme) => ({
    ...theme,
    cases: theme.cases.filter(({ id }) => only === null || only.includes(id)),
  }))
  const selected = sorted(named, ({ id, needs }) => {
    if (skip.includes(id)) return 'left out with --skip'
    if (needs === 'auth' && auth === null) return 'needs --auth'
    if (needs === 'page' && pageTemplate === null) return 'needs --page'
    return needs === 'slow' && !slow && only === null ? 'waits for a deadline; run it with --slow' : null
  })
  // If a case was selected by name, not running it is a problem, unless --skip excluded it.
  return only === null
    ? selected
    : { ...selected, leftOut: selected.leftOut.map((each) => requestedByName(each, skip)) }
}

const requestedByName = (outcome: Outcome, skip: readonly string[]): Outcome => ({
  ...outcome,
  isOptional: skip.includes(outcome.case.id),
})

/** Excludes cases about opened sessions when there are none; a problem only if they were selected by name. */
const withoutOpens = (themes: readonly Theme[], isNamed: boolean): Selection => {
  const { chosen, leftOut } = sorted(themes, ({ needs }) =>
    needs === 'open' ? 'the backend opened no session at the kit during the run' : null,
  )
  return { chosen, leftOut: leftOut.map((each) => ({ ...each, isOptional: !isNamed })) }
}

function sorted(themes: readonly Theme[], whyNot: (each: Case) => string | null): Selection {
  return {
    chosen: themes
      .map((theme) => ({ ...theme, cases: theme.cases.filter((each) => whyNot(each) === null) }))
      .filter(({ cases }) => cases.length > 0),
    leftOut: themes.flatMap(({ title, cases }) =>
      cases.flatMap((each) => {
        const reason = whyNot(each)
        return reason === null ? [] : [notRun(title, each, reason)]
      }),
    ),
  }
}

/** The outcome of a case that did not run. `isOptional`: it was not required in this run. */
const notRun = (theme: string, each: Case, reason: string, isOptional = true): Outcome => ({
  result: 'unchecked',
  expected: each.name,
  got: 'not run',
  reason,
  isOptional,
  theme,
  case: each,
  ms: 0,
})

/** Runs the selected cases, one at a time for each material. `stop` aborts running ones. */
export async function runCases(options: Options, run: Run, stop: () => void): Promise<Report> {
  const { chosen, leftOut } = selectCases(themes, options)
  const plan = planOf(chosen, options.only === null)
  const keys = new Set([options.secret, options.apiKey])
  const keepSecrets = (): void => {
    for (const each of options.materials) for (const text of secretsOf(run.sessionOf(each).metadata)) keys.add(text)
  }
  const outcomes: Outcome[] = []
  const total = chosen.reduce((sum, theme) => sum + theme.cases.length, 0)
  let cutShort: string | null = null

  function ended(outcome: Outcome): void {
    const { id } = outcome.case
    if (options.only === null && outcome.result === 'failed') run.causes.set(id, id)
    if (outcome.cause !== undefined) run.causes.set(id, outcome.cause)
    outcomes.push(outcome)
    options.onOutcome(outcome, outcomes.length, total)
  }

  /** Runs one case; false when the run must end. */
  async function runCase(theme: Theme, each: Case, material: string): Promise<boolean> {
    const started = performance.now()
    const bench = createBench(run, material)
    keepSecrets()
    const ticking = setInterval(() => options.onWaiting(each, performance.now() - started), heartbeatMs)
    const verdict = await Promise.resolve(each.run(bench)).finally(() => clearInterval(ticking))
    // An aborted case says nothing about the backend.
    if (run.signal.aborted) return false
    // A session may have been opened meanwhile.
    keepSecrets()
    const got = redact([verdict.got, ...new Set(bench.notes)].join('; '), [...keys])
    const evidence = verdict.evidence?.map((line) => redact(line, [...keys], evidenceMaxChars))
    const ms = performance.now() - started
    ended({ ...verdict, got, ...(evidence && { evidence }), theme: theme.title, case: each, ms })
    const gone = run.transcript.wentSilent() ? await whyUnreachable(options, run.signal) : null
    if (gone === null) return true
    cutShort ??= `The backend stopped answering during ${each.id}: ${gone}`
    stop()
    return false
  }

  /** Takes cases from the queue until it is empty. */
  async function lane(queue: Theme[], material: string): Promise<void> {
    for (let theme = queue.shift(); theme !== undefined; theme = queue.shift()) {
      for (const each of theme.cases) {
        const basis = plan.prerequisitesOf(theme, each).find((id) => run.causes.has(id))
        if (basis === undefined) {
          if (!(await runCase(theme, each, material))) return
        } else {
          const verdict = skipped(run.causes.get(basis) ?? basis, each.name)
          ended({ ...verdict, theme: theme.title, case: each, ms: 0 })
        }
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
  // A person who selects such a case by name will open a session.
  if (options.only !== null && looksAtOpens) await run.service.firstOpen(openTimeoutMs, run.signal)
  const isOpened = run.service.opens.length > 0
  const looking = isOpened ? { chosen: plan.last, leftOut: [] } : withoutOpens(plan.last, options.only !== null)
  outcomes.push(...looking.leftOut)
  await inLanes(looking.chosen)

  if (options.signal.aborted) cutShort ??= 'The run was interrupted.'
  if (cutShort !== null) outcomes.push(...notReached(chosen, outcomes))
  const order: readonly CaseFacts[] = themes.flatMap((theme) => theme.cases)
  return {
    kind: 'report',
    outcomes: [...outcomes, ...leftOut].toSorted((a, b) => order.indexOf(a.case) - order.indexOf(b.case)),
    stored: run.transcript.notes(),
    cutShort,
  }
}

/** Cases that an interrupted run never reached. Without them, its report would look complete. */
const notReached = (chosen: readonly Theme[], done: readonly Pick<Outcome, 'case'>[]): readonly Outcome[] => {
  const reached = new Set<CaseFacts>(done.map((each) => each.case))
  return chosen.flatMap(({ title, cases }) =>
    cases.flatMap((each) => (reached.has(each) ? [] : [notRun(title, each, 'the run ended before this case', false)])),
  )
}
